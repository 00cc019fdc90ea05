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
