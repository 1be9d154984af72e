import { afterAll } from 'vitest'
import { endIdleChains } from './idle-chains.ts'

// A setup file, which vitest runs again for each test file.
afterAll(endIdleChains)
