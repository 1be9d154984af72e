import { render } from 'preact'
import type { DonationProof, Level } from '../../../verifier/index.ts'
import { sayHead } from '../../components/check-head.tsx'
import { type Act, type CheckProps, type CheckState, IDLE } from '../../components/check-state.ts'
import { ProofCheck } from '../../components/proof-check.tsx'
import {
  type BlockAt,
  type BlockSource,
  pastedAnswer,
  type SourceAnswer,
} from '../../shared/check/block-source.ts'
import { checkHead, type NewestHead } from '../../shared/check/check-head.ts'
import { checkProof } from '../../shared/check/check-proof.ts'
import { committeeAnswer } from '../../shared/check/committee-answer.ts'
import { type Kept, type KeptHead, readChosen } from '../../shared/check/kept-file.ts'
import { hashIn } from '../../shared/typed.ts'
import { switchChain } from '../wallet/account.ts'
import { findWallets, nodeSource, nodeUrl, walletSource } from './sources.ts'

/** A proof is ready within seconds. After this many requests the donor has to ask again. */
const MAX_QUESTIONS = 30
const MAX_FILE_BYTES = 8_000_000
/** After this time the page says that the check takes long, and offers a way out. */
const SLOW_AFTER_MS = 8_000

const NOT_JSON: Partial<CheckState> = { phase: 'not_json', outcome: null, head: null }

/** Loads the verifier, which is in a file of its own. */
const loadVerifier = () => import('../../../verifier/index.ts')
const loadConsensus = () => import('../../../verifier/consensus/index.ts')

type Show = (part: Partial<CheckState>) => void

/** Checks a proof with all that the donor has given so far. */
export class Checker {
  readonly #props: CheckProps
  readonly #show: Show
  #siteKeys: CheckProps['siteKeys']
  #proof: unknown = null
  #pasted: SourceAnswer | null = null
  #checkpoint: string | null = null
  /** Updates of a sync committee that the donor kept. */
  #updates: unknown = null
  #kept: Kept | null = null
  #accept: readonly Level[] = ['transaction']
  #node: URL | null = null
  /** The number of the newest check. Older checks show nothing more. */
  #newest = 0

  constructor(props: CheckProps, show: Show) {
    this.#props = props
    this.#siteKeys = props.siteKeys
    this.#show = show
  }

  /** Loads the verifier, so that a later check needs no network. */
  prepare(): void {
    Promise.all([loadVerifier(), loadConsensus()]).catch(() => undefined)
  }

  /** Takes a proof, or a file that the donor kept. */
  takeFile(file: File): void {
    if (file.size > MAX_FILE_BYTES) this.#show(NOT_JSON)
    else void file.text().then((text) => this.#takeText(text, file.name))
  }

  /** Does what a button or a form asks for. `fields` are the fields of the form. */
  do(act: Act, fields: FormData): void {
    const field = (name: string) => String(fields.get(name) ?? '').trim()
    const acts: Record<Act, () => void> = {
      start: () => void this.#start(),
      paste: () => this.#paste(field('proof'), field('node')),
      hash: () => this.#takeHash(field('hash')),
      checkpoint: () => this.#takeCheckpoint(field('checkpoint')),
      switch: () => void this.#switchChain(),
      alone: () => void this.#check([]),
      accept: () => {
        this.#accept = ['transaction', 'receipt', 'balance']
        void this.#check()
      },
    }
    acts[act]()
  }

  #paste(text: string, node: string): void {
    this.#node = nodeUrl(node, this.#props.mayAskLocal)
    if (node !== '' && this.#node === null) this.#show({ wrong: 'node' })
    else if (text !== '') this.#takeText(text, null)
    else if (this.#proof === null) this.#show(NOT_JSON)
    else void this.#check()
  }

  #takeHash(text: string): void {
    this.#pasted = pastedAnswer(text)
    if (this.#pasted === null) this.#show({ wrong: 'hash' })
    else void this.#check()
  }

  #takeCheckpoint(text: string): void {
    this.#checkpoint = hashIn(text) ?? null
    if (this.#checkpoint === null) this.#show({ wrong: 'checkpoint' })
    else void this.#check()
  }

  #takeText(text: string, file: string | null): void {
    const chosen = readChosen(text)
    if (chosen?.kind === 'proof' && this.#props.donation === null) {
      this.#takeProof(chosen.proof)
    } else if (chosen?.kind === 'updates') {
      this.#updates = chosen.updates
      if (this.#proof === null) this.#show({ phase: 'updates', head: null })
    } else if (chosen?.kind === 'kept') {
      this.#kept = chosen.kept
      this.#show({ keptFile: file, wrong: null })
      if (this.#proof === null && chosen.kept.kind === 'head') void this.#checkHead(chosen.kept)
      else if (this.#proof === null) this.#show({ phase: 'keys', head: null })
    } else {
      this.#show(this.#proof === null ? NOT_JSON : { wrong: 'kept' })
      return
    }
    if (this.#proof !== null) void this.#check()
  }

  /** Takes a proof. What was typed and accepted for another one does not count. */
  #takeProof(proof: unknown): void {
    if (JSON.stringify(proof) === JSON.stringify(this.#proof)) return
    this.#proof = proof
    this.#pasted = null
    this.#checkpoint = null
    this.#accept = ['transaction']
  }

  async #start(): Promise<void> {
    const { donation } = this.#props
    if (donation === null) return
    const show = this.#begin()
    for (let questions = 0; questions < MAX_QUESTIONS; questions++) {
      const loaded = await loadProof(donation.proof).catch(() => null)
      if (loaded === null) break
      if ('proof' in loaded) {
        this.#takeProof(loaded.proof)
        this.#siteKeys = await loadKeys().catch(() => this.#siteKeys)
        return this.#check()
      }
      if (!show({ phase: 'not_ready' })) return
      await new Promise((resolve) => setTimeout(resolve, loaded.retryAfter * 1_000))
    }
    show({ phase: 'no_answer' })
  }

  async #checkHead(head: KeptHead): Promise<void> {
    const show = this.#begin()
    try {
      const [verifier, newest] = await Promise.all([
        loadVerifier(),
        loadHead(head.campaignId).catch(() => null),
      ])
      const { siteKeys, texts, lang } = this.#props
      const verdict = await checkHead(verifier, head, siteKeys, newest)
      show({ phase: 'done', head: sayHead(texts, verdict, head, newest, lang) })
    } catch {
      show({ phase: 'no_answer' })
    }
  }

  async #check(only?: readonly BlockSource[]): Promise<void> {
    const show = this.#begin()
    try {
      const [{ verifyProof }, sources] = await Promise.all([
        loadVerifier(),
        only ?? (this.#checkpoint === null ? this.#sources() : []),
      ])
      const names = sources.map(({ name }) => name).join(', ')
      if (names !== '') show({ phase: 'asking', names })
      const outcome = await checkProof(verifyProof, {
        proof: this.#proof,
        sources,
        pasted: this.#pasted,
        committee: await this.#committee(),
        kept: this.#kept,
        siteKeys: this.#siteKeys,
        accept: this.#accept,
        expected: this.#props.donation?.expected ?? null,
      })
      show({ phase: 'done', outcome, head: null })
    } catch {
      // The file with the verifier could not be loaded.
      show({ phase: 'no_answer' })
    }
  }

  /** Begins a check. The function shows its states, and is false once a newer check has begun. */
  #begin(): (part: Partial<CheckState>) => boolean {
    const mine = ++this.#newest
    const show = (part: Partial<CheckState>): boolean => {
      if (mine === this.#newest) this.#show(part)
      return mine === this.#newest
    }
    show({ phase: 'reading', wrong: null, isSlow: false })
    setTimeout(show, SLOW_AFTER_MS, { isSlow: true })
    return show
  }

  /** Loads what a checkpoint needs: the verifier of committees, and their updates. */
  async #committee() {
    const checkpoint = this.#checkpoint
    if (checkpoint === null) return null
    const { chainId, finality } = this.#proof as DonationProof
    const kept = this.#updates as { chainId?: unknown } | null
    const [verifier, updates] = await Promise.all([
      loadConsensus(),
      kept?.chainId === chainId ? kept : loadUpdates(chainId, checkpoint).catch(() => null),
    ])
    const given = { checkpoint, finality, updates }
    return (block: BlockAt) => committeeAnswer(verifier, given, block)
  }

  async #sources(): Promise<BlockSource[]> {
    if (this.#node) return [nodeSource(this.#node)]
    const wallets = await findWallets()
    return wallets.map((wallet) => walletSource(wallet, this.#props.texts.unnamedWallet))
  }

  /** Asks the wallets that use another network to switch. Then their next answers may help. */
  async #switchChain(): Promise<void> {
    const { chainId } = this.#proof as { chainId: number }
    const chain = this.#props.chains.find(({ id }) => id === chainId)
    if (!chain) return
    for (const { provider } of await findWallets()) {
      // If a wallet refuses, the next check says again that it uses another network.
      await switchChain(provider, chain).catch(() => undefined)
    }
    await this.#check()
  }
}

/** The proof of a donation, or the seconds after which it may be ready. */
type Loaded = { proof: unknown } | { retryAfter: number }

/** Loads a proof from this site. @throws TypeError and others, if there is no usable answer */
const loadProof = async (path: string): Promise<Loaded> => {
  const response = await fetch(path, { headers: { accept: 'application/json' } })
  if (response.status === 409) {
    return { retryAfter: Number(response.headers.get('retry-after') ?? 2) }
  }
  if (!response.ok) throw new Error(`The proof was answered with ${response.status}.`)
  return { proof: await response.json() }
}

/** Loads the updates of a sync committee from this site; null if none lead from the checkpoint. */
const loadUpdates = async (chainId: number, checkpoint: string): Promise<unknown> => {
  const answer = await fetch(`/api/finality/${chainId}/updates?from=${checkpoint}`)
  return answer.ok ? answer.json() : null
}

/** Loads the newest head of a ledger from this site; null if the site has none. */
const loadHead = async (campaignId: string): Promise<NewestHead> => {
  const path = `/api/campaigns/${encodeURIComponent(campaignId)}/ledger/head`
  const answer = await fetch(path, {
    cache: 'no-cache',
    signal: AbortSignal.timeout(SLOW_AFTER_MS),
  })
  return answer.ok ? answer.json() : null
}

/** Loads the keys of this site's seals (RFC 7517), of which the page may not know the newest. */
const loadKeys = async (): Promise<readonly { x: string }[]> => {
  const response = await fetch('/.well-known/jwks.json', { cache: 'no-cache' })
  const { keys } = (await response.json()) as { keys: { x: string }[] }
  return keys.map(({ x }) => ({ x }))
}

/** Renders the check into its element again whenever its state changes. */
export const mountCheck = (element: HTMLElement, props: CheckProps): Checker => {
  let state = IDLE
  return new Checker(props, (part) => {
    state = { ...state, ...part }
    render(<ProofCheck {...props} state={state} />, element)
    // The result stands above the fields, so it may be out of view.
    if (part.phase === 'done') element.querySelector('.panel')?.scrollIntoView({ block: 'nearest' })
  })
}
