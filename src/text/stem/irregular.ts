/**
 * Forms of English that no rule takes off, each line a base form and what belongs to it. Left out are forms that are at
 * least as often another word ("found", "left", "saw", "felt", "ground", "wound", "lay", "bit", "leaves", "bases", "media").
 */
const FORMS = `
arise arose arisen|awake awoke awoken|bear borne|become became|begin began begun|bend bent|bleed bled
blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt
drink drank drunk|drive drove driven|dwell dwelt|eat ate eaten|fall fallen|feed fed|fight fought|flee fled|fly flew flown
forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
get got gotten|give gave given|go went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hold held
keep kept|kneel knelt|know knew known|lead led|lean leant|leap leapt|learn learnt|lend lent|lose lost|make made|mean meant
meet met|mislead misled|mistake mistook mistaken|misunderstand misunderstood|outgrow outgrew outgrown|overcome overcame
override overrode overridden|oversee oversaw overseen|overtake overtook overtaken|overthrow overthrew overthrown|pay paid
prove proven|rebuild rebuilt|redraw redrew redrawn|repay repaid|rethink rethought|rewrite rewrote rewritten
ride rode ridden|ring rang rung|rise risen|run ran|say said|seek sought|sell sold|send sent|sew sewn|shake shook shaken
shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|sow sown|speak spoken|spend spent
spill spilt|spin spun|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck stricken
strive strove striven|swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught
tear tore torn|tell told|throw threw thrown|undergo underwent undergone|understand understood|undertake undertook undertaken
wake woke woken|wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn|withhold withheld
withstand withstood|write wrote written
child children|foot feet|goose geese|louse lice|man men|mouse mice|ox oxen|person people|tooth teeth|woman women
calf calves|elf elves|half halves|knife knives|loaf loaves|scarf scarves|shelf shelves|thief thieves
wife wives|wolf wolves
analysis analyses|appendix appendices|axis axes|crisis crises|criterion criteria|diagnosis diagnoses
ellipsis ellipses|emphasis emphases|hypothesis hypotheses|index indices|matrix matrices|oasis oases|parenthesis parentheses
phenomenon phenomena|synopsis synopses|synthesis syntheses|thesis theses|vertex vertices
alumnus alumni|bacterium bacteria|cactus cacti|curriculum curricula|fungus fungi|memorandum memoranda
nucleus nuclei|radius radii|stimulus stimuli|stratum strata|syllabus syllabi
`;

const BASES: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split(/[|\n]/u)
    .flatMap((line) => {
      const [base = "", ...forms] = line.split(" ");
      return forms.map((form) => [form, base] as const);
    }),
);

/** The base form of an irregular form of English ("grew" → "grow"), or the word itself. */
export function regularEnglish(word: string): string {
  return BASES.get(word) ?? word;
}
