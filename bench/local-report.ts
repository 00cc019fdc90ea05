import { milliseconds, signed, withInterval } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import {
  certain,
  type Difference,
  differences,
  latency,
  type Scored,
  summarise,
} from "../src/eval/summary.ts";
import { type LocalCase, type LocalSet, PUBLISHED } from "./local-cases.ts";
import { alone, type Fusion, fused, scored } from "./local-orders.ts";
import { rerankedUnseen } from "./local-rerank.ts";

/** One set's questions under one way to order them. */
export interface Variant {
  readonly name: string;
  readonly rows: readonly Scored[];
}

/** All ways to order a set's questions; BM25 alone is the first. */
export interface SetVariants {
  readonly set: LocalSet;
  readonly variants: readonly Variant[];
}

const bootstrap = { resamples: 2000 };

/** Orders every set's questions in all ways that are compared; `usual` is the default fusion. */
export function variantsOf(sets: readonly LocalSet[], usual: Fusion): readonly SetVariants[] {
  const [plain, withModel] = [false, true].map((model) => rerankedUnseen(sets, usual, model));
  return sets.map((set) => {
    const { cases } = set;
    const rows = (finds: (one: LocalCase, i: number) => readonly (readonly number[])[]) =>
      cases.map((one, i) => scored(one, finds(one, i)));
    const hybrid = (fusion: Fusion) =>
      rows((one) => fused(one, fusion).map(({ candidate }) => candidate.finds));
    const reranked = (orders: typeof plain) =>
      rows((_, i) => (orders?.get(set.set)?.[i] ?? []).map(({ finds }) => finds));
    return {
      set,
      variants: [
        { name: "BM25 alone", rows: rows((one) => alone(one, "text").map(({ finds }) => finds)) },
        { name: "lexical embedding", rows: rows(({ lexical }) => lexical) },
        { name: "the model alone", rows: rows((one) => alone(one, "vector").map(({ finds }) => finds)) },
        { name: `${nameOf(usual)} (default)`, rows: hybrid(usual) },
        ...others(usual).map((fusion) => ({ name: nameOf(fusion), rows: hybrid(fusion) })),
        { name: "default, reranked", rows: reranked(plain) },
        { name: "reranked, the model's scores as well", rows: reranked(withModel) },
      ],
    };
  });
}

export function nameOf({ method, weight, unknown = 0 }: Fusion): string {
  return `${method} ${weight}${unknown > 0 ? ` + ${unknown} × unknown` : ""}`;
}

/** The weight alone; the other fusion, with the same weight and with equal ones; and equal weights by the usual one. */
function others({ method, weight }: Fusion): readonly Fusion[] {
  const other = method === "scores" ? "rrf" : "scores";
  return [
    { method, weight },
    { method, weight: 1 },
    { method: other, weight },
    { method: other, weight: 1 },
  ];
}

/** Figures of a set with intervals, each with its difference to BM25 alone. */
export function setTable({ set, variants }: SetVariants, metrics: readonly string[]): string {
  const [base] = variants;
  const low = new Set(set.cases.filter((one) => one.low).map(({ id }) => id));
  const few = (rows: readonly Scored[]) => rows.filter(({ id }) => low.has(id));
  const lines = variants.map(({ name, rows }) => {
    const summary = summarise(rows, metrics, bootstrap);
    const changes = differences(base?.rows ?? [], rows, metrics, bootstrap);
    const lowest = summarise(few(rows), metrics.slice(0, 1), bootstrap)[metrics[0] ?? ""];
    const cells = metrics.flatMap((metric) => [withInterval(summary[metric]), signed(changes[metric])]);
    return [name, ...cells, withInterval(lowest)];
  });
  const { p50, p95 } = latency(set.times.map((ms) => ({ ms })));
  const facts = `${set.cases.length} questions, ${set.chunks} chunks; a default search ${milliseconds(p50)} / ${milliseconds(p95)} ms (p50 / p95)`;
  const header = metrics.flatMap((metric) => [metric, "− BM25"]);
  const lowHead = `${metrics[0]}, ${low.size} with few common words`;
  return `## ${set.set}: ${facts}\n\n${table([set.embedding, ...header, lowHead], lines)}`;
}

/** The mean over the sets, every set counting the same, with the sets on which a variant is certainly worse than BM25 alone. */
export function meanTable(all: readonly SetVariants[], metrics: readonly string[]): string {
  const sets = all.filter(({ set }) => set.set !== PUBLISHED);
  const names = sets[0]?.variants.map(({ name }) => name) ?? [];
  const lines = names.map((name, v) => {
    const changes = sets.map(({ variants }) =>
      differences(variants[0]?.rows ?? [], variants[v]?.rows ?? [], metrics, bootstrap),
    );
    const cells = metrics.map((metric) => {
      const values = sets.map(({ variants }) => meanIn(variants[v]?.rows ?? [], metric));
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return `${(100 * mean).toFixed(1)}, ${signed(meanOf(changes.flatMap((change) => change[metric] ?? [])))}`;
    });
    return [name, ...cells, worse(all, v, metrics)];
  });
  const low = lowMeans(sets, metrics);
  return `## Mean over ${sets.length} sets, with its difference to BM25 alone\n\n${table(["", ...metrics, "certainly worse on"], lines)}\n\n${low}`;
}

function meanIn(rows: readonly Scored[], metric: string): number {
  const values = rows.flatMap(({ values }) => values[metric] ?? []);
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Mean of independent means; normal interval from their standard errors. */
export function meanOf(all: readonly Difference[]): Difference {
  const n = Math.max(1, all.length);
  const mean = all.reduce((sum, one) => sum + one.mean, 0) / n;
  const error = Math.sqrt(all.reduce((sum, one) => sum + one.error ** 2, 0)) / n;
  const sum = (of: (one: Difference) => number) => all.reduce((total, one) => total + of(one), 0);
  const counts = { n: sum((one) => one.n), up: sum((one) => one.up), down: sum((one) => one.down) };
  return { mean, low: mean - 1.96 * error, high: mean + 1.96 * error, error, ...counts };
}

function worse(all: readonly SetVariants[], v: number, metrics: readonly string[]): string {
  const found = all.flatMap(({ set, variants }) => {
    const changes = differences(variants[0]?.rows ?? [], variants[v]?.rows ?? [], metrics, bootstrap);
    const lost = metrics.filter((metric) => changes[metric] && certain(changes[metric]) === "down");
    return lost.length === 0 ? [] : [`${set.set} (${lost.join(", ")})`];
  });
  return found.length === 0 ? "no set" : found.join("; ");
}

/** Gains of the default on questions with few and with many words in common with their passage. */
function lowMeans(sets: readonly SetVariants[], metrics: readonly string[]): string {
  const rows = [true, false].map((few) => {
    const cells = metrics.map((metric) => {
      const changes = sets.flatMap(({ set, variants }) => {
        const ids = new Set(set.cases.filter(({ low }) => low === few).map(({ id }) => id));
        const of = (name: string) =>
          variants.find((one) => one.name.includes(name))?.rows.filter(({ id }) => ids.has(id)) ?? [];
        return ids.size < 10 ? [] : [differences(of("BM25"), of("(default)"), [metric], bootstrap)[metric]];
      });
      return signed(meanOf(changes.flatMap((change) => change ?? [])));
    });
    return [few ? "few of the question's words in the passage" : "half of them or more", ...cells];
  });
  return `The default against BM25 alone, by words in common (sets with ten such questions or more)\n\n${table(["", ...metrics], rows)}`;
}
