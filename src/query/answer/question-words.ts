/** What a question asks for, as far as its question word tells. */
export type Asked = "person" | "time" | "place" | "amount" | "reason" | "manner" | "thing";

/**
 * Words and phrases that ask, by language (BCP 47 primary tag); longer ones first where one begins another. They say what
 * is asked for and are no words of the thing itself: no text that answers "Was ist X?" has to hold "was".
 */
export const QUESTION_WORDS: Readonly<Record<string, Readonly<Partial<Record<Asked, string>>>>> = {
  en: {
    person: "who|whom|whose|which person|which people",
    time: "when|since when|what year|which year|what date|which date|what month|which month|what day|which day|what time|how long ago",
    place: "where|which country|which city|what country|what city",
    amount:
      "how much|how many|how long|how old|how far|how high|how tall|how big|how large|how wide|how deep|how fast|how often|how heavy|how hot|how cold|what percentage|what percent|what number|what amount",
    reason: "why|how come",
    manner:
      "how do you|how does one|how do i|how can i|how can one|how is|how are|how does|how do|how did|how",
    thing:
      "what is meant by|what does|what is|what are|what was|what were|what kind of|what type of|what|which",
  },
  id: {
    person: "siapakah|siapa",
    time: "sejak kapan|kapankah|kapan|pada tahun berapa|tahun berapakah|tahun berapa|tanggal berapa|bulan apa|hari apa|abad ke berapa",
    place: "di manakah|di mana|dimanakah|dimana|ke mana|kemana|dari mana|negara mana|kota mana",
    amount: "berapa banyak|berapa lama|berapa besar|berapa jumlah|berapakah|berapa|seberapa",
    reason: "mengapa|kenapa|apa sebab|apa sebabnya",
    manner: "bagaimanakah|bagaimana cara|bagaimana|gimana",
    thing:
      "apa yang dimaksud dengan|apakah yang dimaksud dengan|apa arti|apa itu|apakah itu|apakah|apa saja|apa|manakah|yang mana",
  },
  ms: {
    person: "siapakah|siapa",
    time: "bilakah|bila|tahun berapa",
    place: "di manakah|di mana|ke mana|dari mana",
    amount: "berapa banyak|berapa lama|berapakah|berapa",
    reason: "mengapa|kenapa",
    manner: "bagaimanakah|bagaimana",
    thing: "apakah itu|apa itu|apakah|apa|manakah|yang mana",
  },
  // Often typed without its marks; single syllables without them are words of other languages.
  vi: {
    person: "ai là|ai đã|là ai|người nào|ai|nguoi nao",
    time: "khi nào|lúc nào|bao giờ|năm nào|ngày nào|tháng nào|thời gian nào|khi nao|luc nao|bao gio|nam nao|ngay nao|thang nao",
    place: "ở đâu|từ đâu|nơi nào|nước nào|thành phố nào|đâu|o dau|tu dau|noi nao",
    amount: "bao nhiêu|bao lâu|bao xa|mấy|bao nhieu|bao lau",
    reason: "tại sao|vì sao|sao lại|tai sao|vi sao",
    manner: "như thế nào|làm thế nào|làm sao|ra sao|bằng cách nào|nhu the nao|lam the nao|lam sao",
    thing: "là cái gì|nghĩa là gì|là gì|cái gì|những gì|điều gì|gì|nào|la cai gi|nghia la gi|la gi|cai gi",
  },
  de: {
    person: "wer|wem|wen|wessen",
    time: "seit wann|bis wann|ab wann|wann|in welchem jahr|welches jahr|an welchem tag",
    place: "woher|wohin|wo|in welchem land|in welcher stadt",
    amount:
      "wie viele|wie vielen|wie viel|wieviele|wieviel|wie lange|wie lang|wie hoch|wie alt|wie oft|wie groß|wie weit|wie tief|wie breit|wie schnell|wie schwer|wie teuer",
    reason: "warum|wieso|weshalb|wozu",
    manner: "auf welche weise|wie",
    thing:
      "was versteht man unter|was bedeutet|was sind|was ist|was war|was für|was|welcher|welche|welches|welchen|welchem|worum|woraus|worin|wofür|womit",
  },
  fr: {
    person: "qui est-ce qui|qui est|qui",
    time: "depuis quand|jusqu'à quand|quand|en quelle année|quelle année|à quelle date",
    place: "d'où|où|dans quel pays|dans quelle ville",
    amount: "combien de temps|combien de|combien|quel pourcentage|quel montant",
    reason: "pourquoi",
    manner: "comment",
    thing:
      "qu'est-ce que c'est que|qu'est-ce que|qu'est-ce qu'|qu'est-ce qui|que signifie|quels sont|quelles sont|quel est|quelle est|quel|quelle|quels|quelles|quoi|laquelle|lequel|que",
  },
  es: {
    person: "quiénes|quién",
    time: "desde cuándo|hasta cuándo|cuándo|en qué año|qué año|en qué fecha",
    place: "adónde|de dónde|dónde|en qué país|en qué ciudad",
    amount: "cuántos|cuántas|cuánto|cuánta|qué porcentaje",
    reason: "por qué",
    manner: "cómo",
    thing: "qué significa|qué es|qué son|qué|cuál es|cuáles son|cuál|cuáles",
  },
  pt: {
    person: "quem",
    time: "desde quando|quando|em que ano|qual ano",
    place: "de onde|onde|em que país|em que cidade",
    amount: "quantos|quantas|quanto|quanta",
    reason: "por que|por quê|porquê",
    manner: "como",
    thing: "o que é|o que são|o que|qual é|quais são|qual|quais|que",
  },
  it: {
    person: "chi",
    time: "da quando|quando|in che anno|in quale anno",
    place: "dove|dov'è|in quale paese|in quale città",
    amount: "quanti|quante|quanto|quanta",
    reason: "perché",
    manner: "come",
    thing: "che cos'è|cos'è|che cosa|cosa|qual è|quali sono|quale|quali",
  },
  nl: {
    person: "wie|wiens",
    time: "sinds wanneer|wanneer|in welk jaar",
    place: "waarvandaan|waarheen|waar|in welk land|in welke stad",
    amount: "hoeveel|hoe lang|hoe oud|hoe hoog|hoe groot|hoe ver|hoe vaak",
    reason: "waarom",
    manner: "hoe",
    thing: "wat betekent|wat is|wat zijn|wat|welke|welk",
  },
  ru: {
    person: "кто|кого|кому|кем|чей|чья|чьё|чьи",
    time: "с каких пор|когда|в каком году|какого числа",
    place: "где|куда|откуда|в какой стране|в каком городе",
    amount: "сколько|как долго|как часто",
    reason: "почему|зачем",
    manner: "каким образом|как",
    thing: "что такое|что|какой|какая|какое|какие|каков|какова",
  },
  tr: {
    person: "kimdir|kim|kimin|kimler",
    time: "ne zaman|hangi yıl|hangi yılda|hangi tarihte",
    place: "nereden|nerede|nereye|hangi ülke|hangi şehir",
    amount: "ne kadar|kaç",
    reason: "neden|niçin|niye",
    manner: "nasıl",
    thing: "nedir|nelerdir|ne|hangisi|hangi",
  },
  ar: {
    person: "من هو|من هي|من هم|من الذي|مَن",
    time: "متى|في أي عام|في أي سنة",
    place: "من أين|إلى أين|أين|في أي بلد|في أي مدينة",
    amount: "كم عدد|كم",
    reason: "لماذا|لم",
    manner: "كيف",
    thing: "ما هو|ما هي|ما هذا|ماذا|ما|أي|أية",
  },
  hi: {
    person: "कौन|किसने|किसका|किसकी|किसके",
    time: "कब|किस वर्ष|किस साल",
    place: "कहाँ|कहां|किस देश|किस शहर",
    amount: "कितने|कितना|कितनी",
    reason: "क्यों",
    manner: "कैसे",
    thing: "क्या|कौन सा|कौन सी|कौनसा",
  },
  ko: {
    person: "누구|누가",
    time: "언제|몇 년",
    place: "어디",
    amount: "얼마나|얼마|몇",
    reason: "왜",
    manner: "어떻게",
    thing: "무엇|무슨|어떤|어느|뭐",
  },
  zh: {
    person: "谁|誰|哪位|什么人|何人",
    time: "什么时候|甚麼時候|何时|何時|哪一年|哪年|哪一天|几月|几号|哪个世纪",
    place: "什么地方|哪里|哪裡|哪儿|何处|何處|何地|哪个国家|哪个城市",
    amount:
      "需要多长时间|要多长时间|多长时间|需要多久|要多久|有多少|多少|多长|多大|多久|多远|多高|多快|几个|几次|几|百分之几",
    reason: "为什么|為什麼|为何|為何",
    manner: "怎么样|怎么|怎麼|怎样|怎樣|如何",
    thing: "是什么|什么是|什么|甚麼|什麼|哪个|哪些|哪種|哪种|哪",
  },
  ja: {
    person: "だれ|誰|どなた",
    time: "いつ|何年|何月|何日|何時",
    place: "どこ|どちら|どの国|どの都市",
    amount: "いくら|いくつ|何人|何個|何回|何パーセント|どのくらい|どれくらい",
    reason: "なぜ|何故|どうして",
    manner: "どのように|どうやって|どう",
    thing: "とは何ですか|は何ですか|とは何か|とは|何ですか|何|どの|どんな|どれ|なに",
  },
  th: {
    person: "ใคร",
    time: "เมื่อไหร่|เมื่อไร|เมื่อใด|ปีใด|ปีไหน|วันใด|วันไหน|พ.ศ. ใด|พ.ศ.ใด|ค.ศ.ใด|ค.ศ. ใด",
    place: "ที่ไหน|ที่ใด|แห่งใด|แห่งไหน|ประเทศใด|ประเทศไหน|เมืองใด|เมืองไหน",
    amount: "เท่าไหร่|เท่าไร|เท่าใด|กี่",
    reason: "เพราะเหตุใด|เหตุใด|ทำไม|เพราะอะไร",
    manner: "อย่างไร|ยังไง",
    thing: "คืออะไร|อะไรคือ|อะไร|ใด|ไหน",
  },
};
