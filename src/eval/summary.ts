import { type BootstrapOptions, bootstrap, type Interval, percentile } from "./bootstrap.ts";
import type { QuestionRow } from "./rows.ts";

/** Mean and interval by metric; a metric that scored no question is left out. */
export type Summary = Readonly<Record<string, Interval>>;

/** What a question's figures are taken from. */
export type Scored = Pick<QuestionRow, "id" | "values">;

/** Means over the questions each metric scores. Metrics that score the same questions are drawn together. */
export function summarise(
  rows: readonly Scored[],
  metrics: readonly string[],
  options: BootstrapOptions = {},
): Summary {
  const groups = Map.groupBy(metrics, (name) => rows.map((row) => (name in row.values ? "1" : "0")).join(""));
  const entries = [...groups.values()].flatMap((names) => {
    const columns = names.map((name) => rows.flatMap((row) => row.values[name] ?? []));
    const intervals = bootstrap(columns, options);
    return names.map((name, index) => [name, intervals[index]] as const);
  });
  return Object.fromEntries(entries.filter((entry): entry is [string, Interval] => entry[1] !== undefined));
}

/** A summary for each tag that questions carry, in the order of first use; a question with several tags is in each. */
export function summariseByTag(
  rows: readonly (Scored & Pick<QuestionRow, "tags">)[],
  metrics: readonly string[],
  options: BootstrapOptions = {},
): ReadonlyMap<string, Summary> {
  const tags = [...new Set(rows.flatMap((row) => row.tags))];
  const tagged = (tag: string) => rows.filter((row) => row.tags.includes(tag));
  return new Map(tags.map((tag) => [tag, summarise(tagged(tag), metrics, options)]));
}

/** How one setting differs from another on the same questions. */
export interface Difference extends Interval {
  /** Questions that rose, and that fell. */
  readonly up: number;
  readonly down: number;
}

/** Paired differences, `after` − `before`, over the questions that both score. */
export function differences(
  before: readonly Scored[],
  after: readonly Scored[],
  metrics: readonly string[],
  options: BootstrapOptions = {},
): Readonly<Record<string, Difference>> {
  const earlier = new Map(before.map((row) => [row.id, row]));
  const paired = after.flatMap((row) => {
    const values = metrics.flatMap((name) => {
      const [a, b] = [earlier.get(row.id)?.values[name], row.values[name]];
      return a === undefined || b === undefined ? [] : ([[name, b - a]] as const);
    });
    return values.length === 0 ? [] : [{ id: row.id, values: Object.fromEntries(values) }];
  });
  const summary = summarise(paired, metrics, options);
  return Object.fromEntries(
    Object.entries(summary).map(([name, interval]) => {
      const changes = paired.flatMap((row) => row.values[name] ?? []);
      const up = changes.filter((change) => change > tiny).length;
      const down = changes.filter((change) => change < -tiny).length;
      return [name, { ...interval, up, down }];
    }),
  );
}

/** Below this, a difference is rounding. */
const tiny = 1e-12;

/** Whether a difference is certain at the interval's confidence, and which way. */
export function certain(difference: Interval): "up" | "down" | undefined {
  if (difference.low > tiny) return "up";
  return difference.high < -tiny ? "down" : undefined;
}

/** Milliseconds of the searches. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

export function latency(rows: readonly Pick<QuestionRow, "ms">[]): Latency {
  const sorted = rows.map((row) => row.ms).sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}
