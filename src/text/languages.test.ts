import { describe, expect, it } from "vitest";
import { analyzeField, analyzeQuery } from "./analyze.ts";
import { DEFAULT_BM25, idf, normalisedFrequency, saturate } from "./bm25.ts";
import { detectLanguage } from "./language.ts";

/** Six facts by language, and questions in other forms of their words, each with the fact that answers it. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  ar: [
    "افتتحت الشركة مصنعاً جديداً في مدينة الإسكندرية خلال العام الماضي.",
    "بلغت إيرادات البنك ثلاثة ملايين دينار في الربع الثاني.",
    "يدرس الطلاب الكيمياء والفيزياء في الجامعة الوطنية.",
    "يستورد التجار القمح من الأسواق الأوروبية كل شتاء.",
    "أُغلق الجسر القديم بسبب الفيضانات في شهر أبريل.",
    "عيّن الوزير مديراً جديداً للمستشفى المركزي.",
  ],
  he: [
    "החברה פתחה מפעל חדש בעיר חיפה בשנה שעברה.",
    "הכנסות הבנק ברבעון השני הגיעו לשלושה מיליון שקלים.",
    "הסטודנטים לומדים כימיה ופיזיקה באוניברסיטה.",
    "הסוחרים מייבאים חיטה מהשווקים באירופה בכל חורף.",
    "הגשר הישן נסגר בגלל השיטפונות באפריל.",
    "השר מינה מנהל חדש לבית החולים המרכזי.",
  ],
  hi: [
    "कंपनी ने पिछले साल पुणे शहर में एक नया कारखाना खोला।",
    "दूसरी तिमाही में बैंक की आय तीन करोड़ रुपये रही।",
    "विश्वविद्यालय में छात्र रसायन और भौतिकी पढ़ते हैं।",
    "व्यापारी हर सर्दी में यूरोप के बाजारों से गेहूँ मँगाते हैं।",
    "अप्रैल में बाढ़ के कारण पुराना पुल बंद कर दिया गया।",
    "मंत्री ने केंद्रीय अस्पताल का नया निदेशक नियुक्त किया।",
  ],
  ko: [
    "회사는 작년에 부산에 새 공장을 열었다.",
    "은행의 2분기 수익은 삼백만 원에 달했다.",
    "학생들은 대학교에서 화학과 물리학을 배운다.",
    "상인들은 겨울마다 유럽 시장에서 밀을 수입한다.",
    "낡은 다리는 4월 홍수 때문에 폐쇄되었다.",
    "장관은 중앙병원의 새 원장을 임명했다.",
  ],
  ja: [
    "会社は昨年、福岡に新しい工場を開いた。",
    "銀行の第2四半期の収益は三百万円に達した。",
    "学生たちは大学で化学と物理を学んでいる。",
    "商人は毎年冬にヨーロッパの市場から小麦を輸入する。",
    "古い橋は4月の洪水で閉鎖された。",
    "大臣は中央病院の新しい院長を任命した。",
  ],
  vi: [
    "Công ty đã mở một nhà máy mới ở thành phố Hải Phòng vào năm ngoái.",
    "Doanh thu của ngân hàng trong quý hai đạt ba triệu đồng.",
    "Sinh viên học hóa học và vật lý tại trường đại học quốc gia.",
    "Các thương nhân nhập khẩu lúa mì từ thị trường châu Âu mỗi mùa đông.",
    "Cây cầu cũ bị đóng cửa vì lũ lụt vào tháng tư.",
    "Bộ trưởng đã bổ nhiệm giám đốc mới của bệnh viện trung ương.",
  ],
  th: [
    "บริษัทเปิดโรงงานแห่งใหม่ที่จังหวัดเชียงใหม่เมื่อปีที่แล้ว",
    "รายได้ของธนาคารในไตรมาสที่สองอยู่ที่สามล้านบาท",
    "นักศึกษาเรียนวิชาเคมีและฟิสิกส์ที่มหาวิทยาลัยแห่งชาติ",
    "พ่อค้านำเข้าข้าวสาลีจากตลาดยุโรปทุกฤดูหนาว",
    "สะพานเก่าถูกปิดเพราะน้ำท่วมในเดือนเมษายน",
    "รัฐมนตรีแต่งตั้งผู้อำนวยการคนใหม่ของโรงพยาบาลกลาง",
  ],
  zh: [
    "公司去年在青岛市开设了一家新工厂。",
    "银行第二季度的收入达到三百万元。",
    "学生们在国立大学学习化学和物理。",
    "商人每年冬天从欧洲市场进口小麦。",
    "旧桥因四月的洪水而关闭。",
    "部长任命了中央医院的新院长。",
  ],
};
const QUESTIONS: readonly (readonly [language: string, question: string, answer: number])[] = [
  ["ar", "أين مصنع الشركة الجديد؟", 0],
  ["ar", "كم إيرادات البنوك", 1],
  ["ar", "كيمياء", 2],
  ["ar", "لماذا أغلق الجسر؟", 4],
  ["he", "איפה המפעל של החברה", 0],
  ["he", "מה ההכנסות של בנק", 1],
  ["he", "אוניברסיטה", 2],
  ["he", "למה נסגר גשר", 4],
  ["hi", "कारखाना कहाँ खोला गया", 0],
  ["hi", "बैंकों की आय कितनी थी", 1],
  ["hi", "छात्रों की भौतिकी", 2],
  ["hi", "पुल क्यों बंद हुआ", 4],
  ["ko", "공장은 어디에 있습니까", 0],
  ["ko", "은행 수익이 얼마인가요", 1],
  ["ko", "물리학", 2],
  ["ko", "다리가 폐쇄된 이유", 4],
  ["ja", "工場はどこにありますか", 0],
  ["ja", "銀行の収益はいくらですか", 1],
  ["ja", "物理", 2],
  ["ja", "橋が閉鎖された理由", 4],
  ["vi", "Nhà máy mới của công ty ở đâu?", 0],
  ["vi", "doanh thu ngân hàng", 1],
  ["vi", "sinh vien hoc vat ly o dau", 2],
  ["vi", "tai sao cay cau bi dong cua", 4],
  ["vi", "ai la giam doc benh vien", 5],
  ["th", "โรงงานใหม่อยู่ที่ไหน", 0],
  ["th", "ธนาคารมีรายได้เท่าไร", 1],
  ["th", "เรียนฟิสิกส์ที่ไหน", 2],
  ["th", "ทำไมสะพานจึงปิด", 4],
  ["zh", "工厂在哪里", 0],
  ["zh", "银行收入是多少", 1],
  ["zh", "物理", 2],
  ["zh", "桥为什么关闭", 4],
  ["zh", "谁任命了医院院长", 5],
];

function scoresOf(question: string, texts: readonly string[], language: string): readonly number[] {
  const fields = texts.map((text) => analyzeField(text, { language }));
  const average = fields.reduce((sum, { length }) => sum + length, 0) / fields.length;
  const { terms } = analyzeQuery(question, { languages: [language, "en"] });
  return fields.map(({ length, terms: held }) =>
    terms.reduce((sum, { term, weight }) => {
      const tfn = normalisedFrequency(held.get(term) ?? 0, length, average, DEFAULT_BM25.fields.body);
      const frequency = fields.filter((other) => other.terms.has(term)).length;
      return sum + weight * idf(texts.length, frequency) * saturate(tfn, DEFAULT_BM25.k1);
    }, 0),
  );
}

function best(question: string, texts: readonly string[], language: string): number {
  const scores = scoresOf(question, texts, language);
  return scores.indexOf(Math.max(...scores));
}

/** The same word as other people write it: query, text, a text that has to stay unfound. */
const SPELLINGS: readonly (readonly [
  language: string,
  what: string,
  query: string,
  text: string,
  other: string,
])[] = [
  ["ar", "vowel marks", "كتاب", "قرأت الكِتَابَ", "باب"],
  ["ar", "no vowel marks", "كِتَاب", "الكتاب الجديد", "باب"],
  ["ar", "hamza on alef", "احمد", "أحمد في البيت", "محمود"],
  ["ar", "final ya", "مستشفي", "مستشفى المدينة", "مدرسة"],
  ["ar", "ta marbuta", "مدرسه", "مدرسة البنات", "جامعة"],
  ["ar", "tatweel", "محمد", "محـــمد", "خالد"],
  ["ar", "article and conjunction", "حكومة", "والحكومة تعلن", "وزارة"],
  ["ar", "preposition and article", "مدينة", "بالمدينة القديمة", "قرية"],
  ["ar", "presentation forms", "لا", "\ufefb", "نعم"],
  ["fa", "Arabic letters", "کتابی", "كتابي", "دفتر"],
  ["fa", "zero-width non-joiner", "کتابها", "کتاب\u200cها", "دفتر"],
  ["he", "article", "מפעל", "המפעל נסגר", "בנק"],
  ["he", "conjunction and article", "מפעל", "והמפעל נסגר", "בנק"],
  ["he", "preposition", "משרד", "במשרד החדש", "בנק"],
  ["he", "plural", "חברות", "חברה חדשה", "בנק"],
  ["he", "a final letter inside the plural", "מלך", "שני מלכים", "בנק"],
  ["he", "points", "שלום", "שָׁלוֹם עולם", "בנק"],
  ["hi", "nasal as a letter or a point", "हिंदी", "हिन्दी भाषा", "मराठी"],
  ["hi", "nasal before a labial", "सम्पर्क", "संपर्क करें", "पता"],
  ["hi", "dot of borrowed sounds", "गरीब", "ग़रीब लोग", "अमीर"],
  ["hi", "composed letters", "क़लम", "क\u093cलम", "दवात"],
  ["ja", "half-width kana", "データ", "ﾃﾞｰﾀの更新", "会議"],
  ["ja", "full-width letters and digits", "GPT4 2025", "ＧＰＴ４は２０２５年", "会議"],
  ["ja", "kanji inside a compound", "銀行", "日本銀行券", "会社"],
  ["ko", "topic particle", "회사", "회사는 성장했다", "학교"],
  ["ko", "another particle in the query", "데이터베이스는", "데이터베이스에서 찾는다", "학교"],
  ["ko", "decomposed syllables", "은행", "은행에서".normalize("NFD"), "학교"],
  ["th", "a compound", "ข้อมูล", "ฐานข้อมูล", "แมว"],
  ["th", "native digits", "2567", "พ.ศ. ๒๕๖๗", "แมว"],
  ["th", "decomposed am", "นํ้า", "ดื่มน้ำ".normalize("NFKD"), "แมว"],
  ["zh", "full-width and punctuation", "ＡＩ芯片", "AI芯片，新一代", "汽车"],
  ["vi", "decomposed", "bệnh viện", "bệnh viện".normalize("NFD"), "trường"],
  ["id", "nasal prefixes", "kirim", "surat yang mengirimkan", "pisang"],
  ["tr", "dotless i", "ısı", "ISI", "su"],
];

describe("languages", () => {
  it.each(SPELLINGS)("%s: %s, both ways", (language, _, query, text, other) => {
    for (const [one, same] of [
      [query, text],
      [text, query],
    ] as const) {
      const scores = scoresOf(one, [same, other], language);
      expect(scores[0]).toBeGreaterThan(0);
      expect(scores[1]).toBe(0);
    }
  });

  it.each(QUESTIONS)("%s: %s", (language, question, answer) => {
    expect(best(question, TEXTS[language] ?? [], language)).toBe(answer);
  });

  it.each(Object.entries(TEXTS))("%s is recognised", (language, texts) => {
    expect(texts.map(detectLanguage)).toEqual(texts.map(() => language));
  });
});
