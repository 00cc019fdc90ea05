import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { KonteksError } from "../../spec/index.ts";

/** An address that a host name stands for at this moment. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

export type IsPublic = (address: Address) => boolean;

/** Not on the open internet (IANA special-purpose registries): private, loopback, link-local, shared, reserved, multicast. */
const closed = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  closed.addSubnet(network, bits, "ipv4");
}

/** Of IPv6, global unicast is open, but for tunnels (which end anywhere), documentation and benchmarking. */
const open6 = new BlockList();
open6.addSubnet("2000::", 3, "ipv6");
const closed6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  closed6.addSubnet(network, bits, "ipv6");
}

export function isPublicAddress({ address, family }: Address): boolean {
  if (family === 4) return !closed.check(address, "ipv4");
  return open6.check(address, "ipv6") && !closed6.check(address, "ipv6");
}

/**
 * Where a host is. Every one of its addresses must be on the open internet, else whoever names the host could choose.
 *
 * @throws KonteksError "unreadable"
 */
export async function resolveHost(url: URL, isPublic: IsPublic): Promise<Address> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await addressesOf(host, url);
  const refused = addresses.find((each) => !isPublic(each));
  const [first] = addresses;
  if (refused === undefined && first !== undefined) return first;
  const address = refused?.address ?? "no address";
  throw new KonteksError(
    "unreadable",
    `"${url.href}" is not fetched: ${address === host ? host : `${host} is at ${address}, which`} is not on the open internet. Save the page and ingest the file.`,
    { facts: { url: url.href, address: refused?.address } },
  );
}

async function addressesOf(host: string, url: URL): Promise<readonly Address[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await lookup(host, { all: true });
  } catch (cause) {
    throw new KonteksError(
      "unreadable",
      `"${url.href}" cannot be fetched: there is no host ${host}. Check the address.`,
      {
        facts: { url: url.href },
        cause,
      },
    );
  }
}
