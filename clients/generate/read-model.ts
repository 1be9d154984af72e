import { readFileSync } from 'node:fs'
import { readInterface } from '../../test/support/interface.ts'
import { type ClientModel, createModel } from './model.ts'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** The model of this version's document, as `npm run clients` uses it. */
export const readModel = (): ClientModel => {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  return createModel(readInterface().text, version)
}
