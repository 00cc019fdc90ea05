import type { ResolvedConfig } from "../../../config/load.ts";
import type { Open, Session } from "../../session.ts";

/** Opens indexes with the user's keys and addresses. */
export function openWith(session: Session, { open }: ResolvedConfig): Open {
  const { apiKeys, baseUrls } = open;
  return (options) =>
    session.open({
      ...(apiKeys !== undefined && { apiKeys }),
      ...(baseUrls !== undefined && { baseUrls }),
      ...options,
    });
}

/** The name of a model; undefined for a model object, whose price nobody knows. */
export function nameOf(model: unknown): string | undefined {
  return typeof model === "string" ? model : undefined;
}
