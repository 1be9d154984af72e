const HASH = /0x[0-9a-fA-F]{64}(?![0-9a-fA-F])/

/** The hash in a text, such as the address of a transaction in a block explorer. */
export const hashIn = (text: string): string | undefined => HASH.exec(text)?.[0].toLowerCase()
