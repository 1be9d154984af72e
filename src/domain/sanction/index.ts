export { type AddressFile, openAddressFile } from './address-file.ts'
export { createSanctionScreen } from './create-screen.ts'
export { refuseSanctioned, refuseSanctionedUser } from './refuse-sanctioned.ts'
