/** How a language writes the structural context. */
export interface StructuralForm {
  /** Put in front: "From", "Dari", … */
  readonly from: string;
  /** Put before the heading path: "section", "bagian", … */
  readonly section: string;
}

const FORMS: Readonly<Record<string, StructuralForm>> = {
  en: { from: "From", section: "section" },
  id: { from: "Dari", section: "bagian" },
  ms: { from: "Daripada", section: "bahagian" },
  vi: { from: "Trích từ", section: "mục" },
  zh: { from: "出自", section: "章节" },
  ja: { from: "出典", section: "節" },
  ko: { from: "출처", section: "절" },
  th: { from: "จาก", section: "หัวข้อ" },
  de: { from: "Aus", section: "Abschnitt" },
  fr: { from: "De", section: "section" },
  es: { from: "De", section: "sección" },
  pt: { from: "De", section: "seção" },
  it: { from: "Da", section: "sezione" },
  ca: { from: "De", section: "secció" },
  ro: { from: "Din", section: "secțiunea" },
  nl: { from: "Uit", section: "sectie" },
  sv: { from: "Ur", section: "avsnitt" },
  da: { from: "Fra", section: "afsnit" },
  no: { from: "Fra", section: "avsnitt" },
  fi: { from: "Lähde", section: "osio" },
  pl: { from: "Z dokumentu", section: "sekcja" },
  cs: { from: "Z dokumentu", section: "oddíl" },
  hu: { from: "Forrás", section: "szakasz" },
  tr: { from: "Kaynak", section: "bölüm" },
  el: { from: "Από", section: "ενότητα" },
  ru: { from: "Из", section: "раздел" },
  uk: { from: "З", section: "розділ" },
  bg: { from: "От", section: "раздел" },
  ar: { from: "من", section: "قسم" },
  fa: { from: "از", section: "بخش" },
  ur: { from: "ماخذ", section: "حصہ" },
  he: { from: "מתוך", section: "סעיף" },
  hi: { from: "स्रोत", section: "अनुभाग" },
  bn: { from: "উৎস", section: "অংশ" },
  ta: { from: "மூலம்", section: "பிரிவு" },
  tl: { from: "Mula sa", section: "seksyon" },
};

/** Names under which people keep the organisation, the author and the time of a document, most telling first. */
export const ORGANISATION_KEYS = [
  [
    "company",
    "organization",
    "organisation",
    "perusahaan",
    "organisasi",
    "công ty",
    "cong_ty",
    "cong-ty",
    "公司",
    "publisher",
  ],
  ["author", "authors", "penulis", "tác giả", "tac_gia", "作者"],
];
export const TIME_KEYS = [
  "period",
  "quarter",
  "periode",
  "kuartal",
  "kỳ",
  "quý",
  "date",
  "tanggal",
  "ngày",
  "year",
  "tahun",
  "năm",
];

/** The form of a language: one of the user's own, else the built-in one, else English. */
export function formOf(
  language: string | undefined,
  own: Readonly<Record<string, StructuralForm>> | undefined,
): StructuralForm {
  const english = { from: "From", section: "section" };
  if (language === undefined) return own?.en ?? FORMS.en ?? english;
  return own?.[language] ?? FORMS[language] ?? own?.en ?? FORMS.en ?? english;
}
