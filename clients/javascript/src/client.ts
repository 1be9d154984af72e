import { Core } from './core.ts'
import { Donations } from './donations.ts'
import { Resources } from './generated/resources/index.ts'
import { type FundproofOptions, readOptions } from './options.ts'

/**
 * A client of one Fundproof service.
 *
 * @example
 * const fundproof = new Fundproof({ apiKey, environment: 'sandbox', baseUrl })
 * const campaign = await fundproof.campaigns.get(id)
 */
export class Fundproof extends Resources {
  override readonly donations: Donations

  /** @throws ConfigurationError that names the wrong or missing option */
  constructor(options: FundproofOptions = {}) {
    const core = new Core(readOptions(options))
    super(core)
    this.donations = new Donations(core)
  }
}
