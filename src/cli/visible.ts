/** Colours and weights that are painted here; "hidden" is not among them. ECMA-48, 8.3.117. */
const PAINT = /^\[(?:[0123479]|2[2-479]|3[0-79]|4[0-79]|9[0-7])m/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /\r\n?|[\0-\b\v\f\x0e-\x1f\x7f-\x9f]/g;

/**
 * Text that may go to a terminal. What documents and names of files hold could otherwise clear the screen, hide words, or write to
 * the clipboard: signs of control become pictures ("␛[2J"), other line ends than "\n" become that. Own colours stay, where
 * it is painted.
 */
export function visible(text: string, isPainted: boolean): string {
  return text.replace(CONTROLS, (sign, at: number) => {
    if (sign[0] === "\r") return "\n";
    const code = sign.charCodeAt(0);
    if (code === ESCAPE && isPainted && PAINT.test(text.slice(at + 1, at + 6))) return sign;
    if (code === DELETE) return "␡";
    return code < DELETE ? String.fromCharCode(PICTURES + code) : "\uFFFD";
  });
}

const ESCAPE = 0x1b;
const DELETE = 0x7f;
/** Unicode's block of control pictures, in the order of the signs. */
const PICTURES = 0x2400;
