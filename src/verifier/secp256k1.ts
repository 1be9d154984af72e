import { demand, fromHex, keccakHex } from './bytes.ts'

/** The curve y² = x³ + 7 modulo P, with its order and its generator G (SEC 2, section 2.4.1). */
const P = 2n ** 256n - 2n ** 32n - 977n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const G = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
}

/** A point in Jacobian coordinates: (x/z², y/z³). The point at infinity has z = 0. */
type Point = { x: bigint; y: bigint; z: bigint }
const INFINITY: Point = { x: 1n, y: 1n, z: 0n }

/**
 * Recovers the address whose key made an ECDSA signature (SEC 1, section 4.1.6). The running time
 * depends on the values, which is safe because all values are public.
 *
 * @param hash the signed hash, as `0x` hex
 * @param parity 0 if the y coordinate of the signature's point is even, 1 if it is odd
 * @throws Refusal if the signature is invalid
 */
export const recoverAddress = (hash: string, r: bigint, s: bigint, parity: bigint): string => {
  const inRange = r > 0n && r < ORDER && s > 0n && s < ORDER && (parity === 0n || parity === 1n)
  demand(inRange, 'A signature is malformed.')
  const square = mod(r * r * r + 7n)
  const root = power(square, (P + 1n) / 4n, P)
  demand(mod(root * root) === square, 'A signature names no point of the curve.')
  const y = root % 2n === parity ? root : P - root
  const inverse = power(r, ORDER - 2n, ORDER)
  const ofHash = modOrder(-BigInt(hash) * inverse)
  const sum = add(
    multiply({ ...G, z: 1n }, ofHash),
    multiply({ x: r, y, z: 1n }, modOrder(s * inverse)),
  )
  demand(sum.z !== 0n, 'A signature has no key.')
  const zInverse = power(sum.z, P - 2n, P)
  const zSquare = mod(zInverse * zInverse)
  const key = word(mod(sum.x * zSquare)) + word(mod(sum.y * zSquare * zInverse))
  return `0x${keccakHex(fromHex(`0x${key}`)).slice(26)}`
}

const mod = (value: bigint): bigint => ((value % P) + P) % P
const modOrder = (value: bigint): bigint => ((value % ORDER) + ORDER) % ORDER
const word = (value: bigint): string => value.toString(16).padStart(64, '0')

const power = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  let result = 1n
  let square = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

const double = ({ x, y, z }: Point): Point => {
  if (z === 0n || y === 0n) return INFINITY
  const ySquare = mod(y * y)
  const s = mod(4n * x * ySquare)
  const slope = mod(3n * x * x)
  const doubledX = mod(slope * slope - 2n * s)
  return {
    x: doubledX,
    y: mod(slope * (s - doubledX) - 8n * ySquare * ySquare),
    z: mod(2n * y * z),
  }
}

const add = (point: Point, other: Point): Point => {
  if (point.z === 0n) return other
  if (other.z === 0n) return point
  const z1 = mod(point.z * point.z)
  const z2 = mod(other.z * other.z)
  const u1 = mod(point.x * z2)
  const u2 = mod(other.x * z1)
  const s1 = mod(point.y * z2 * other.z)
  const s2 = mod(other.y * z1 * point.z)
  if (u1 === u2) return s1 === s2 ? double(point) : INFINITY
  const h = mod(u2 - u1)
  const slope = mod(s2 - s1)
  const hSquare = mod(h * h)
  const hCube = mod(hSquare * h)
  const v = mod(u1 * hSquare)
  const x = mod(slope * slope - hCube - 2n * v)
  return { x, y: mod(slope * (v - x) - s1 * hCube), z: mod(h * point.z * other.z) }
}

const multiply = (point: Point, factor: bigint): Point => {
  let result = INFINITY
  let doubled = point
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, doubled)
    doubled = double(doubled)
  }
  return result
}
