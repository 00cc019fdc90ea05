import type { ServerResponse } from "node:http";
import { anthropicError } from "./anthropic.ts";
import { openaiError } from "./openai-messages.ts";
import { sendJson } from "./respond.ts";
import type { Fault, OpenEntry, ProviderError, SimulatedApi } from "./types.ts";

export interface PendingFault {
  readonly fault: Fault;
  left: number;
}

export function takeFault(faults: readonly PendingFault[], path: string): Fault | undefined {
  const found = faults.find(({ fault, left }) => left > 0 && path.endsWith(fault.path ?? ""));
  if (found) found.left -= 1;
  return found?.fault;
}

export function fail(response: ServerResponse, entry: OpenEntry, fault: Fault): void {
  if (fault.hang) return;
  if (fault.cut) {
    response.destroy();
    return;
  }
  const status = fault.status ?? 500;
  refuse(response, entry, { ...fault, status, message: fault.message ?? messageOf(status) });
}

export function refuse(response: ServerResponse, entry: OpenEntry, error: ProviderError): void {
  entry.status = error.status;
  sendError(response, entry.provider, error);
}

export function sendError(response: ServerResponse, provider: SimulatedApi, error: ProviderError): void {
  const body = provider === "anthropic" ? anthropicError(error, "req_simulated") : openaiError(error);
  sendJson(response, error.status, body, error.headers);
}

function messageOf(status: number): string {
  if (status === 429) return "This request would exceed your rate limit.";
  return status === 529 ? "Overloaded" : "The simulated provider was told to fail.";
}
