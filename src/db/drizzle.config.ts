import type { Config } from 'drizzle-kit'

/** `npm run generate` writes the next migration from the schema. */
export default {
  dialect: 'postgresql',
  schema: './src/db/schema/*.ts',
  out: './src/db/migrations',
} satisfies Config
