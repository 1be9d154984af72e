import type { Call, CallOptions } from './call.ts'
import type { Core, FileInput } from './core.ts'
import { EventStream, type StreamOptions } from './event-stream.ts'
import type { Operation } from './operation.ts'
import { type List, openList } from './page.ts'

/** The calls of one resource, for example of campaigns. */
export abstract class Resource {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  protected call<T>(
    operation: Operation,
    segments: readonly unknown[],
    params?: object,
    options?: CallOptions,
  ): Call<T> {
    return this.#core.call({ operation, segments, params, options })
  }

  protected upload<T>(
    operation: Operation,
    segments: readonly unknown[],
    file: FileInput,
    options?: CallOptions,
  ): Call<T> {
    return this.#core.call({ operation, segments, file, options })
  }

  protected listOf<T>(
    operation: Operation,
    segments: readonly unknown[],
    params: object,
    options?: CallOptions,
  ): List<T> {
    return openList(this.#core, operation, segments, params, options)
  }

  protected streamOf<T extends { id: string }>(
    operation: Operation,
    params: object,
    options?: StreamOptions,
  ): EventStream<T> {
    return new EventStream(this.#core, operation, params, options)
  }
}
