import { ConfigurationError } from './errors.ts'

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/**
 * Refuses unknown options, because a misspelt `apiKey` would make the caller a guest.
 *
 * @throws ConfigurationError with the name, but without the value, which may be a secret
 */
export const knowsOnly = (options: object, known: readonly string[]): void => {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const near = known.find((one) => plain(one) === plain(name))
    const remedy = near ? `Do you mean ${near}?` : `The options are ${known.join(', ')}.`
    throw new ConfigurationError(`There is no option ${JSON.stringify(name)}. ${remedy}`)
  }
}
