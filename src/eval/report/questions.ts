import type { LadderRow } from "../ladder/ladder.ts";
import type { QuestionRow } from "../rows.ts";

/** What each step did for one question. */
export interface QuestionStory {
  readonly id: string;
  readonly text: string;
  /** For each step: the places of the gold passages, "2, 7", "–" for one that was not found. */
  readonly places: readonly string[];
  /** Gold passages that the last step did not find. */
  readonly missed: number;
  /** Why it is missed, as far as the steps tell; empty when nothing is. */
  readonly reason: string;
}

/** The questions with gold, those with the most missed first. */
export function questionStories(steps: readonly LadderRow[]): readonly QuestionStory[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  const byStep = steps.map((step) => new Map(step.rows.map((row) => [row.id, row])));
  return last.rows
    .filter((row) => row.places.length > 0)
    .map((row) => story(row, byStep, steps))
    .sort((a, b) => b.missed - a.missed || a.id.localeCompare(b.id, "en", { numeric: true }));
}

function story(
  row: QuestionRow,
  byStep: readonly ReadonlyMap<string, QuestionRow>[],
  steps: readonly LadderRow[],
): QuestionStory {
  const all = byStep.map((rows) => rows.get(row.id)?.places ?? []);
  const missed = row.places.filter((place) => place === null).length;
  return {
    id: row.id,
    text: row.text,
    places: all.map((places) => places.map((place) => place ?? "–").join(", ")),
    missed,
    reason: missed === 0 ? "" : [reasonOf(row, all, steps), ownReason(row, steps)].filter(Boolean).join(". "),
  };
}

/** What the index of the last step says of it. */
function ownReason({ id }: QuestionRow, steps: readonly LadderRow[]): string {
  return steps.at(-1)?.missed?.[id] ?? "";
}

function reasonOf(
  row: QuestionRow,
  all: readonly QuestionRow["places"][],
  steps: readonly LadderRow[],
): string {
  if (row.hits.length === 0 && row.places.every((place) => place === null)) return "nothing was retrieved";
  const finders = steps.filter((_, step) =>
    row.places.some((place, gold) => place === null && typeof all[step]?.[gold] === "number"),
  );
  if (finders.length > 0) return `found by ${finders.map(({ name }) => `"${name}"`).join(", ")}, lost since`;
  const partly = row.places.some((place) => place !== null);
  return partly ? "other passages of it were found" : "no step found it";
}
