import { z } from 'zod'
import type { Definition, Method, Untagged } from './operation.ts'
import { runOperation } from './run-operation.ts'

/** The parameters of a path as a type: `/users/:id` gives `{ id: string }`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name | keyof ParamsOf<Rest>]: string }
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : undefined

/** The schema of a path's parameters. The cast is safe, because `ParamsOf` has the same names. */
const idsIn = <Path extends string>(path: Path): z.ZodType<ParamsOf<Path>> | undefined => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.uuid()])
  if (names.length === 0) return undefined
  return z.object(Object.fromEntries(names)) as unknown as z.ZodType<ParamsOf<Path>>
}

const at =
  (method: Method) =>
  <const Path extends string, Q = undefined, B = undefined, R = undefined>(
    path: Path,
    {
      params = idsIn(path),
      scope = method === 'get' ? 'read' : 'session',
      ...rest
    }: Definition<ParamsOf<Path>, Q, B, R>,
  ): Untagged => {
    const definition = { ...rest, method, path, scope, ...(params ? { params } : {}) }
    return {
      ...definition,
      run: (deps, request, req) => runOperation(definition, deps, request, req),
    }
  }

/** Defines an operation, whose schemas validate requests and appear in the OpenAPI document. */
export const route = {
  get: at('get'),
  post: at('post'),
  put: at('put'),
  patch: at('patch'),
  delete: at('delete'),
} as const
