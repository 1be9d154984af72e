import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ENUMS,
  ERROR_CODES,
  EVENT_TYPES,
} from '../../../../clients/javascript/src/generated/facts.ts'
import { operations } from '../../../../clients/javascript/src/generated/operations.ts'
import { Fundproof } from '../../../../clients/javascript/src/index.ts'
import * as webhooks from '../../../../clients/javascript/src/webhooks.ts'

/** The methods, events and values of a client, read from its generated files. */
export type Tables = {
  /** The operationId of each method, by `resource.method` in camelCase. */
  operations: Record<string, string>
  /** The methods in the classes of the resources, also those that are written by hand. */
  methods: string[]
  /** The functions for webhooks that need no client. */
  webhooks: string[]
  events: string[]
  codes: string[]
  enums: Record<string, readonly string[]>
}

const CLIENTS = join(import.meta.dirname, '../../../../clients')
const read = (path: string): string => readFileSync(join(CLIENTS, path), 'utf8')

/** Reads the pairs of texts in the table from `start` to the first `end`. */
const pairsIn = (text: string, start: string, end: string): Record<string, string> => {
  const from = text.indexOf(start)
  if (from < 0) throw new Error(`No ${start}`)
  const table = text.slice(from, text.indexOf(end, from))
  const pairs = table.matchAll(/['"]([\w.]+)['"](?: =>|:) ['"]?(\w+)/gm)
  return Object.fromEntries([...pairs].map(([, key = '', value = '']) => [key, value]))
}

/** Returns the first group of each match. */
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)

const textsIn = (text: string): string[] => namesIn(text, /['"]([^'"\n]+)['"]/g)

const camel = (name: string): string =>
  name.replaceAll(/(?<=[a-z])_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the methods of a resource, also inherited methods, with their source text. */
const methodsOf = (resource: string, value: object): [place: string, text: string][] => {
  const found: [string, string][] = []
  for (
    let of: object | null = Object.getPrototypeOf(value);
    of !== null && of.constructor.name !== 'Resource';
    of = Object.getPrototypeOf(of)
  ) {
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
      if (name !== 'constructor') found.push([`${resource}.${name}`, String(method)])
    }
  }
  return found
}

/**
 * Reads the JavaScript client by reflection, because the source of each method contains its
 * operation.
 */
export const javascriptTables = (): Tables => {
  const client = new Fundproof({ environment: 'sandbox', baseUrl: 'https://service.example' })
  const { v1, ...plain } = client
  const nested = Object.entries(v1).map(([name, one]) => [`v1.${name}`, one] as const)
  const methods = [...Object.entries(plain), ...nested].flatMap(([name, one]) =>
    methodsOf(name, one),
  )
  const used = methods.flatMap(([place, text]): [string, string][] => {
    const key = /operations\.(\w+)/.exec(text)?.[1]
    if (key !== undefined && !(key in operations)) throw new Error(`No operation ${key}`)
    return key === undefined ? [] : [[place, key.replace(/Csv$/, '')]]
  })
  return {
    operations: Object.fromEntries(used),
    methods: methods.map(([place]) => place),
    webhooks: Object.keys(webhooks),
    events: [...EVENT_TYPES],
    codes: [...ERROR_CODES],
    enums: ENUMS,
  }
}

/** Reads the methods of the sync or the async classes in Python. */
const pythonMethods = (isAsync: boolean): string[] => {
  const folder = 'python/src/fundproof/_generated/resources'
  const files = readdirSync(join(CLIENTS, folder)).filter((file) => /^[a-z]\w*\.py$/.test(file))
  const generated = files.map((file) => [file, read(`${folder}/${file}`)])
  const byHand = ['donations', 'webhooks'].map((name) => [
    `${name}.py`,
    read(`python/src/fundproof/_${name}.py`),
  ])
  return [...generated, ...byHand].flatMap(([file = '', text = '']) => {
    const resource = file.replace('.py', '').replace(/^v1_/, 'v1.')
    const classes = text.split(/^(?=class )/m).filter((part) => part.startsWith('class '))
    return classes
      .filter((part) => part.startsWith('class Async') === isAsync)
      .flatMap((part) => [...part.matchAll(/^ {4}(?:async )?def ([a-z]\w*)\(/gm)])
      .map(([, method = '']) => camel(`${resource}.${method}`))
  })
}

/** @param isAsync whether the methods are those of the async client */
export const pythonTables = (isAsync: boolean): Tables => {
  const facts = read('python/src/fundproof/_generated/facts.py')
  const enums = facts.slice(facts.indexOf('\nENUMS'))
  const codes = facts.slice(facts.indexOf('\nERROR_CODES'))
  const entries = enums.matchAll(/^ {4}"(\w+)": \(([^)]*)\)/gm)
  return {
    operations: Object.fromEntries(
      Object.entries(pairsIn(facts, '\nOPERATIONS', '\n}')).map(([key, id]) => [camel(key), id]),
    ),
    methods: pythonMethods(isAsync),
    webhooks: namesIn(read('python/src/fundproof/webhooks.py'), /^def ([a-z]\w*)\(/gm),
    events: Object.keys(pairsIn(facts, '\nEVENTS', '\n}')),
    codes: textsIn(codes.slice(0, codes.indexOf('\n)'))),
    enums: Object.fromEntries([...entries].map(([, name, values = '']) => [name, textsIn(values)])),
  }
}

/** Reads the values of a PHP class of constants, in the order of its `VALUES`. */
const phpValues = (text: string): string[] => {
  const constants = new Map(
    [...text.matchAll(/const (\w+) = '([^']*)';/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  const listed = text.slice(text.indexOf('const VALUES'))
  return [...listed.matchAll(/self::(\w+)/g)].map(([, name = '']) => constants.get(name) ?? name)
}

export const phpTables = (): Tables => {
  const list = (folder: string) =>
    readdirSync(join(CLIENTS, folder)).filter((file) => file.endsWith('.php'))
  const enums = list('php/src/Model')
    .map((file) => [file.replace('.php', ''), read(`php/src/Model/${file}`)] as const)
    .filter(([, text]) => text.includes('const VALUES'))
    .map(([name, text]) => [name, phpValues(text)] as const)
  const { ErrorCode: codes = [], ...others } = Object.fromEntries(enums)
  const resources = ['', 'V1/'].flatMap((folder) =>
    list(`php/src/Resource/${folder}`).map((file) => `${folder}${file}`),
  )
  const methods = resources.flatMap((file) => {
    const text = read(`php/src/Resource/${file}`)
    const resource = file.replace('.php', '').split('/').map(lower).join('.')
    const traits = [...text.matchAll(/^ {4}use (\w+);/gm)].map(([, name]) =>
      read(`php/src/Internal/${name}.php`),
    )
    return [text, ...traits]
      .flatMap((part) => [...part.matchAll(/^ {4}(?:final )?public function ([a-z]\w*)\(/gm)])
      .map(([, method]) => `${resource}.${method}`)
  })
  return {
    operations: pairsIn(read('php/src/Resource/Spec.php'), 'OPERATIONS', '];'),
    methods,
    webhooks: namesIn(read('php/src/Webhooks.php'), /public static function (\w+)\(/g),
    events: Object.keys(pairsIn(read('php/src/Event/EventTypes.php'), 'CLASSES', '];')),
    codes,
    enums: others,
  }
}

const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
