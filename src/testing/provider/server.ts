import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { prefixes } from "./routes.ts";
import { handle } from "./simulation.ts";
import { createSimulation } from "./state.ts";
import type { SimulatedApi, SimulatedProvider, SimulatedProviderOptions } from "./types.ts";

/** Starts the simulated provider on a free port of 127.0.0.1. */
export async function startSimulatedProvider(
  options: SimulatedProviderOptions = {},
): Promise<SimulatedProvider> {
  const simulation = createSimulation(options);
  const server = createServer((request, response) => {
    handle(simulation, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = (provider: SimulatedApi) => `http://127.0.0.1:${port}${prefixes[provider]}/v1`;
  return {
    url,
    baseUrls: {
      anthropic: url("anthropic"),
      openai: url("openai"),
      "openai-compatible": url("openai-compatible"),
    },
    ledger: simulation.ledger,
    script(script) {
      simulation.script = script;
    },
    failNext(fault) {
      simulation.faults.push({ fault, left: fault.times ?? 1 });
    },
    scriptBatches(outcome) {
      simulation.outcome = outcome;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
