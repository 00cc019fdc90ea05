import { KERNEL_BYTES } from "./kernel-bytes.ts";

/** What kernel.as exports; pointers are byte offsets into `memory`. */
export interface Kernel {
  readonly memory: Memory;
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
  atLeast(
    estimates: number,
    length: number,
    least: number,
    first: number,
    out: number,
    histogram: number,
  ): number;
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly that is used; TypeScript knows it from the DOM's types only. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

const PAGE = 65_536;
let compiled: object | undefined;

/** A kernel with a memory of its own. */
export function loadKernel(): Kernel {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  compiled ??= new WebAssembly.Module(Buffer.from(KERNEL_BYTES, "base64"));
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return { ...(exports as Omit<Kernel, "memory">), memory };
}

/** Makes the memory reach to `end`. Views of it have to be made anew. */
export function reserveMemory({ memory }: Kernel, end: number): void {
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}
