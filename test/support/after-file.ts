import { afterAll } from 'vitest'
import { endIdleChains } from './idle-chains.ts'
import { endIdleDatabases } from './idle-databases.ts'

// A setup file, which vitest runs again for each test file.
afterAll(endIdleChains)
afterAll(endIdleDatabases)
