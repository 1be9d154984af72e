import { afterAll } from 'vitest'
import { endIdleChains } from './idle-chains.ts'
import { endIdleDatabases } from './idle-databases.ts'

// vitest runs this setup file again for each test file.
afterAll(endIdleChains)
afterAll(endIdleDatabases)
