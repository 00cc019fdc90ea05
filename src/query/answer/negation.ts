/** Words that deny, by language (BCP 47 primary tag), where words are parted by spaces. */
const DENYING: Readonly<Record<string, string>> = {
  en: "not|never|no|none|nobody|nothing|neither|nor|without|cannot|can't|won't|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|hadn't|shouldn't|mustn't|needn't",
  id: "tidak|bukan|belum|tanpa|jangan|tiada|tak",
  ms: "tidak|bukan|belum|tanpa|jangan|tiada|tak",
  vi: "không|chưa|chẳng|đừng",
  de: "nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|ohne|weder",
  fr: "ne|n'|pas|jamais|sans|aucun|aucune",
  es: "no|nunca|jamás|sin|ningún|ninguna|tampoco",
  pt: "não|nem|sem|nunca|nenhum|nenhuma",
  it: "non|mai|senza|nessun|nessuna|nessuno",
  nl: "niet|geen|nooit|zonder",
  ru: "не|нет|никогда|без",
  tr: "değil|yok|hiç",
  ar: "لا|ليس|ليست|لم|لن|غير|بدون",
};
const SIGNS = /不|没|沒|無|无|未|非|別|别|ไม่|มิได้|ません|ない|ず(?=に)/u;

/** Phrases that hold such a word and deny nothing. */
const HARMLESS = new RegExp(
  [
    "\\bnot only\\b|\\bno (?:later|earlier|less|fewer|more) than\\b|\\bnot (?:later|less|more) than\\b|\\bno\\. ?(?=\\d)|\\bwhether or not\\b",
    "tidak hanya|bukan hanya|tidak kurang dari",
    "không chỉ|không khí|không gian|hàng không|không quân|không\\s*\\?",
    "nicht nur|ne [^.]{1,40}? que\\b|pas seulement|no solo|no sólo|não só|non solo|niet alleen|не только",
    "不[仅僅但过過断斷同管论論久少锈鏽丹]|没关系|無論|无论|无线|無線|未来|未來|非常|非洲|差别|别人|特别|区别|別人|特別|差別|区別",
    "なければならない|ないといけない|なくてはならない|しかない|ไม่เพียง",
  ].join("|"),
  "giu",
);

function patternOf(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}-])`, "iu");
}

const patterns = new Map(Object.entries(DENYING).map(([language, words]) => [language, patternOf(words)]));
const any = patternOf(Object.values(DENYING).join("|"));

/** Whether a text denies something, as far as its small words tell. Without a language those of all are looked for. */
export function isNegated(text: string, language?: string): boolean {
  const plain = text.replace(/[\u2018\u2019]/g, "'").replace(HARMLESS, " ");
  return SIGNS.test(plain) || (patterns.get(language ?? "") ?? any).test(plain);
}
