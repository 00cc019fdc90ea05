import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declaredEncoding, loadHtml } from "./html.ts";

const textOf = async (html: string, content: "main" | "all" = "main") =>
  (await loadHtml(html, { content })).text;

/** Blocks as "kind level: text". */
async function blocksOf(html: string) {
  const { text, blocks } = await loadHtml(html, { content: "all" });
  return blocks.map(({ kind, level, start, end }) => `${kind}${level ?? ""}: ${text.slice(start, end)}`);
}

describe("text of a page", () => {
  it("loses nothing around block elements", async () => {
    expect(await textOf("<body>one<p>two<br>three</p></body>")).toBe("one\n\ntwo\nthree");
    expect(await textOf("<div>a<div>b</div>c<table><tr><td>d</td></tr></table>e</div>f")).toBe(
      "a\n\nb\n\nc\n\nd\n\ne\n\nf",
    );
  });

  it("neither glues nor tears words", async () => {
    expect(await textOf("<p>one<b>two</b> <i>three</i>,<ix:nonFraction>4</ix:nonFraction></p>")).toBe(
      "onetwo three,4",
    );
    expect(await textOf("<button>Yes</button><button>No</button>")).toBe("Yes\n\nNo");
    expect(await textOf("<p>Donau&shy;dampf&shy;schiff&nbsp;fahrt</p>")).toBe("Donaudampfschiff fahrt");
    expect(await textOf("<x-card>one</x-card><x-card>two</x-card>")).toBe("one\n\ntwo");
  });

  it("leaves out what a browser does not show", async () => {
    const html = `<head><title>T</title></head><body>seen<script>s</script><style>s</style><template>t</template>
      <noscript>n</noscript><p hidden>h</p><p style="color:red; DISPLAY: none">d</p><!-- c --></body>`;
    expect(await textOf(html, "all")).toBe("seen");
  });

  it("shows the tabs that are not chosen yet", async () => {
    const tabs = '<div role="tabpanel">npm</div><div role="tabpanel" hidden>yarn</div><div hidden>no</div>';
    expect(await textOf(tabs)).toBe("npm\n\nyarn");
  });

  it("leaves out what sites put behind a heading", async () => {
    const html = `<h2>History[edit]</h2><h2>Geschichte<span>[<a>Bearbeiten</a> | <a>Quelltext bearbeiten</a>]</span></h2>
      <h2>Usage<a class="hash-link">#</a></h2><h2>API<a>¶</a></h2><h2>[1.2.0] - 2024 [yanked]</h2><p>text`;
    const { outline } = await loadHtml(html);
    expect(outline.map(({ text }) => text)).toEqual([
      "History",
      "Geschichte",
      "Usage",
      "API",
      "[1.2.0] - 2024 [yanked]",
    ]);
  });

  it("takes the words of a picture for no heading", async () => {
    expect(await blocksOf('<p>text here</p><div><img alt="A chart of sales"></div>')).toEqual([
      "paragraph: text here",
      "paragraph: A chart of sales",
    ]);
  });

  it("reads entities, also broken ones, and markup that was never closed", async () => {
    expect(await textOf("<p>a &lt;b&gt; &amp; &eacute; &nosuch; &#x4E2D;<p>next <b>bold")).toBe(
      "a <b> & é &nosuch; 中\n\nnext bold",
    );
  });
});

describe("structure", () => {
  it("tells headings, paragraphs, quotes and code", async () => {
    expect(
      await blocksOf(
        "<h1>A <em>b</em></h1>x<h3>C</h3><blockquote><p>q</p></blockquote><pre>\n  if (x)\n    y\n</pre>",
      ),
    ).toEqual(["heading1: A b", "paragraph: x", "heading3: C", "quote: q", "code:   if (x)\n    y"]);
  });

  it("writes lists with their marks and levels", async () => {
    const html = "<ul><li>a<ol start=3><li>b</li><li><p>c</p><p>more</p></li></ol></li><li>d</li></ul>";
    expect(await blocksOf(html)).toEqual([
      "list-item1: - a",
      "list-item2: 3. b",
      "list-item2: 4. c",
      "paragraph: more",
      "list-item1: - d",
    ]);
    expect(await textOf(html)).toBe("- a\n  3. b\n  4. c\n\nmore\n\n- d");
  });

  it("takes short bold lines for headings where a page has no others", async () => {
    const bold =
      "<p style='font-weight:bold'>RISK FACTORS</p><p><b>Market risk</b></p><p><b>Rates.</b> They <b>rise</b></p>";
    expect(await blocksOf(bold)).toEqual([
      "heading2: RISK FACTORS",
      "heading3: Market risk",
      "paragraph: Rates. They rise",
    ]);
    expect(await blocksOf(`<h1>A</h1><h2>B</h2>${bold}`)).toContain("paragraph: RISK FACTORS");
    expect(
      await blocksOf("<div style='font-weight:700'>Sure<p style='font-weight:normal'>plain</div>"),
    ).toEqual(["heading3: Sure", "paragraph: plain"]);
  });

  it("keeps the outline in the text's own offsets", async () => {
    const { text, outline } = await loadHtml("<p>intro<h2>One</h2>x<h2>Two</h2>y");
    expect(
      outline.map(({ start, end, level, text: title }) => [text.slice(start, end), level, title]),
    ).toEqual([
      ["One", 2, "One"],
      ["Two", 2, "Two"],
    ]);
  });
});

describe("tables", () => {
  it("become rows with their header", async () => {
    const { text, blocks } = await loadHtml(
      "<table><caption>Sales</caption><tr><th>City<th>Units</tr><tr><td>Bonn<td>3</tr><tr><td>Ulm<td></tr></table>",
    );
    expect(text).toBe("Sales\nCity | Units\nBonn | 3\nUlm");
    const table = blocks.find(({ kind }) => kind === "table");
    expect(text.slice(table?.header?.start, table?.header?.end)).toBe("Sales\nCity | Units");
    expect(table?.parts).toHaveLength(2);
  });

  it("repeat the label of spanned rows and keep columns in place", async () => {
    const html =
      "<table><tr><th>Region<th>Year<th>Units</tr><tr><td rowspan=2>North<td>2024<td>1</tr><tr><td>2025<td>2</tr><tr><td>South<td><td>3</tr></table>";
    expect(await textOf(html)).toBe(
      "Region | Year | Units\nNorth | 2024 | 1\nNorth | 2025 | 2\nSouth |  | 3",
    );
  });

  it("of filed reports lose their spacer columns and lone signs, never a value", async () => {
    const html = `<table><tr><td></td><td></td><td colspan=2>2025</td><td></td><td colspan=2>2024</td></tr>
      <tr><td>Cash</td><td></td><td>$</td><td>12</td><td></td><td>$</td><td>(7</td><td>)</td></tr>
      <tr><td>Debt</td><td></td><td></td><td>—</td><td></td><td></td><td>5</td><td>%</td></tr></table>`;
    expect(await textOf(html)).toBe("| 2025 | 2024\nCash | $12 | $(7)\nDebt | — | 5%");
  });

  it("keep columns apart that are filled in turn", async () => {
    const html =
      "<table><tr><td>Account<td>Debit<td>Credit<tr><td>Rent<td>5<td><tr><td>Sales<td><td>9</table>";
    expect(await textOf(html)).toBe("Account | Debit | Credit\nRent | 5\nSales |  | 9");
  });

  it("inside cells stay with their cell; tables that only arrange a page are read as text", async () => {
    expect(await textOf("<table><tr><th>k<td><table><tr><td>a<td>b<tr><td>c</table></table>")).toBe(
      "k | a, b; c",
    );
    expect(await textOf("<table><tr><td><h2>Left</h2>x<td><ul><li>Right</ul></table>")).toBe(
      "Left\n\nx\n\n- Right",
    );
    expect(await textOf("<table><tr><td>•<td>first<tr><td>•<td>second</table>")).toBe("• first\n• second");
  });
});

describe("main content", () => {
  const prose = "The main text of this page goes on and on. ".repeat(10);

  it("is found by main, article or role, with the rest on request", async () => {
    for (const [open, close] of [
      ["<main>", "</main>"],
      ["<article>", "</article>"],
      ["<div role=main>", "</div>"],
    ]) {
      const html = `<header>Site</header><nav>Menu</nav>${open}${prose}<aside>Note</aside>${close}<footer>Legal</footer>`;
      expect(await textOf(html)).toBe(`${prose.trim()}\n\nNote`);
      expect(await textOf(html, "all")).toMatch(/^Site\n\nMenu\n\nThe main.*\n\nNote\n\nLegal$/);
    }
  });

  it("is the body without navigation and footer when nothing is marked", async () => {
    expect(await textOf(`<nav>Menu</nav><p>${prose}<aside>Ad</aside><footer>Legal</footer>`)).toBe(
      prose.trim(),
    );
  });

  it("is the whole body when the marked part holds little of the text", async () => {
    expect(await textOf(`<article>Teaser</article><p>${prose}`)).toBe(`Teaser\n\n${prose.trim()}`);
    expect(await textOf(`<footer>${prose}</footer><p>x`)).toContain(prose.trim());
  });

  it("leaves out boxes that are named like menus and hold only links", async () => {
    const box = "<div class='language-dropdown'><ul><li><a>Deutsch</a><li><a>Suomi</a></ul></div>";
    expect(await textOf(`<main>${box}<p>${prose}</main>`)).toBe(prose.trim());
    expect(
      await textOf(`<main><div class=menu>Soup and bread are 5 euros</div><p>${prose}</main>`),
    ).toContain("Soup");
  });
});

describe("any page", () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const tree = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      word.map((text) => ` ${text} `),
      fc
        .tuple(
          fc.constantFrom(
            "p",
            "div",
            "b",
            "i",
            "span",
            "ul",
            "li",
            "table",
            "td",
            "tr",
            "th",
            "h2",
            "blockquote",
            "pre",
            "section",
            "x-y",
            "dl",
            "dd",
          ),
          fc.array(tie("node"), { maxLength: 4 }),
        )
        .map(([tag, children]) => `<${tag}>${children.join("")}</${tag}>`),
    ),
  })).node;

  it("keeps every word, none glued to another", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 6 }), async (parts) => {
        const html = parts.join("");
        const words = (text: string) => text.match(/[a-z]{3,}/g) ?? [];
        const shown = words(html.replace(/<[^>]*>/g, " "));
        // Tables move stray words before themselves, as browsers do, so the order is not compared.
        expect(words(await textOf(html, "all")).sort()).toEqual(shown.sort());
        expect(words(await textOf(html)).sort()).toEqual(shown.sort());
      }),
      { numRuns: 300 },
    );
  });
});

describe("facts", () => {
  it("come from title, language and meta elements", async () => {
    const { title, language, metadata } = await loadHtml(
      `<html lang="id-ID"><title> Laporan
       Tahunan </title><meta name=author content="Budi"><meta property="og:description" content="Ringkas">
       <meta property="article:published_time" content="2025-03-01"><meta property="og:site_name" content="PT Contoh"><body>x`,
    );
    expect({ title, language }).toEqual({ title: "Laporan Tahunan", language: "id-ID" });
    expect(metadata).toEqual({
      author: "Budi",
      description: "Ringkas",
      date: "2025-03-01",
      organization: "PT Contoh",
    });
  });

  it("include the declared encoding", () => {
    const of = (text: string) => declaredEncoding(new TextEncoder().encode(text));
    expect(of('<?xml version="1.0" encoding="Shift_JIS"?>')).toBe("Shift_JIS");
    expect(of("<meta charset=gbk>")).toBe("gbk");
    expect(of('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">')).toBe(
      "windows-1251",
    );
    expect(of("<p>charset=gbk")).toBeUndefined();
  });
});

describe("bounds", () => {
  it.each([
    "<div>",
    "<ul><li>",
    "<table><tr><td>",
    "<blockquote>",
    "<span>",
    "<article>",
    "<div class=menu>",
  ])("reads %s nested thousands of times", async (open) => {
    const started = performance.now();
    const depth = open === "<div>" ? 100_000 : 20_000;
    expect(await textOf(`${open.repeat(depth)}deep`)).toContain("deep");
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("reads tables with absurd spans", async () => {
    const row = "<tr><td rowspan=99999 colspan=99999>x</td><td colspan=1000>y</td></tr>";
    expect(await textOf(`<table><tr><th>a<th>b${row.repeat(200)}</table>`)).toContain("x");
  });
});

describe("the main content of a page without main or article", () => {
  it("is without questions about cookies, menus of links and buttons", async () => {
    const html = `<div id="cookie-banner">We use cookies. <button>Accept</button></div>
      <div class="navbar"><ul><li><a href="/">Home</a></li><li><a href="/docs">Docs</a></li></ul></div>
      <div id="root"><h1>Cookies of widgets</h1><p>Widgets keep a cookie for a day, and here is why they do.</p>
      <select><option>Choose</option></select><button>Buy</button></div>`;
    expect((await loadHtml(html)).text).toBe(
      "Cookies of widgets\n\nWidgets keep a cookie for a day, and here is why they do.",
    );
    expect((await loadHtml(html, { content: "all" })).text).toContain("Accept");
  });
});

it("reads what a page hides until its scripts run, and not what it hides beside its text", async () => {
  const article = "<h1>Lazy</h1><p>The whole article is here, hidden until the script runs.</p>";
  for (const page of [
    `<body style="display: none">Loading<main hidden>${article}</main>`,
    `<div class="skeleton">Loading</div><div style="color:red;display:none">${article}</div>`,
  ])
    expect((await loadHtml(page)).text).toContain("The whole article is here");
  const beside = await loadHtml(`${article}<div hidden>A dialog</div>`);
  expect(beside.text).not.toContain("A dialog");
});

it("tells powers from the marks of footnotes", async () => {
  const html =
    "<p>10<sup>2</sup> m<sup>2</sup> at 5 s<sup>-1</sup>, as measured<sup>1</sup> by all<sup>th</sup></p><table><tr><td>12 km<sup>2</sup></td><td>Total<sup>3</sup></td></tr><tr><td>a</td><td>b</td></tr></table>";
  expect((await loadHtml(html)).text).toBe(
    "10² m² at 5 s⁻¹, as measured 1 by allth\n\n12 km² | Total 3\na | b",
  );
});

it("keeps the words of a cell apart where a line of it ends", async () => {
  const html =
    "<table><tr><th>Term<br>or sign</th><th>B</th></tr><tr><td>a<br/>b</td><td>c</td></tr></table>";
  expect((await loadHtml(html)).text).toBe("Term or sign | B\na b | c");
});
