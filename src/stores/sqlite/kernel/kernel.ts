import { KERNEL_BYTES } from "./kernel-bytes.ts";

/** What kernel.as exports; pointers are byte offsets into `memory`. */
export interface Kernel {
  readonly memory: SharedMemory;
  dots(codes: number, query: number, count: number, width: number, out: number): void;
  dotsOf(
    windows: number,
    query: number,
    count: number,
    width: number,
    head: number,
    stride: number,
    out: number,
  ): void;
  spread(codes: number, scales: number, width: number, rows: number, window: number, scratch: number): void;
  estimate(
    rows: number,
    chosen: number,
    query: number,
    count: number,
    offset: number,
    shift: number,
    out: number,
  ): void;
  clear(at: number, length: number): void;
  raise(estimates: number, length: number, wanted: number, bar: number, histogram: number): void;
  atLeast(estimates: number, length: number, least: number, first: number, out: number): number;
}

/** Memory that other threads may have as well (`postMessage` shares it). */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly that is used; TypeScript knows it from the DOM's types only. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => SharedMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

const PAGE = 65_536;
/** What 32-bit pointers reach. */
const MOST_PAGES = 65_536;
let compiled: object | undefined;

/** A kernel over a memory of another thread, or with one of its own. */
export function loadKernel(shared?: SharedMemory): Kernel {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  compiled ??= new WebAssembly.Module(Buffer.from(KERNEL_BYTES, "base64"));
  const memory = shared ?? new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return { ...(exports as Omit<Kernel, "memory">), memory };
}

/** Makes the memory reach to `end`. Views of it have to be made anew. */
export function reserveMemory({ memory }: Kernel, end: number): void {
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}
