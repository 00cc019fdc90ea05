/** The step that the others are held against. */
export const REFERENCE = "plain analyzer";

/** A figure that a step is to reach on a set, in per cent. */
export interface Aim {
  readonly set: string;
  /** With the chunks published with the set. */
  readonly published?: boolean;
  readonly step: string;
  readonly metric: string;
  readonly atLeast: number;
  /** What other engines reach, and which. */
  readonly reference?: string;
}

const ALL = "+ document score";

function ladder(
  set: string,
  step: string,
  aims: readonly (readonly [metric: string, atLeast: number, reference?: string])[],
): readonly Aim[] {
  return aims.map(([metric, atLeast, reference]) => ({
    set,
    step,
    metric,
    atLeast,
    ...(reference === undefined ? {} : { reference }),
  }));
}

const published = (aims: readonly Aim[]) => aims.map((aim) => ({ ...aim, published: true }));

export const AIMS: readonly Aim[] = [
  ...ladder("scifact", "k1 0.9, b 0.4", [
    ["ndcg@10", 67.5, "67.9 Lucene"],
    ["recall@100", 92, "92.5 Lucene"],
  ]),
  ...ladder("scifact", ALL, [["ndcg@10", 68.5, "67.9 Lucene"]]),
  ...published(
    ladder("codebases", "chunk alone", [
      ["recall@5", 80, "79.1 words, identifier parts, Porter"],
      ["recall@10", 87, "85.9"],
      ["recall@20", 90, "89.2"],
    ]),
  ),
  ...published(
    ladder("codebases", "+ context", [
      ["recall@5", 86, "84.7 words, identifier parts, Porter"],
      ["recall@10", 91, "89.5"],
      ["recall@20", 94, "93.6"],
    ]),
  ),
  ...ladder("legalbench-rag-contractnli", ALL, [
    ["hit@5", 72, "73 document score at weight 3"],
    ["hit@20", 94],
  ]),
  ...ladder("react-docs-id", ALL, [["hit@5", 58, "54.5 to 61.8 by chunking, Porter"]]),
  ...ladder("idk-mrc-id", ALL, [["hit@5", 95, "94.3 Porter"]]),
  ...ladder("xquad-vi", ALL, [["hit@5", 98.3, "98.4 Porter"]]),
  ...ladder("xquad-zh", ALL, [["hit@5", 98.6, "98.7 pairs"]]),
  ...ladder("xquad-th", ALL, [["hit@5", 98.4, "98.5 pairs"]]),
];
