// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Never deployed: its creation code runs in an `eth_call` without a recipient and returns one byte,
/// 1 where the wallet accepts the signature. If the wallet has no code yet, its factory is called
/// first, within the same simulation (ERC-6492, "Signature Validation").
contract SignatureValidator {
    constructor(
        address wallet,
        bytes32 digest,
        bytes memory signature,
        address factory,
        bytes memory factoryData
    ) {
        if (wallet.code.length == 0 && factory.code.length != 0) {
            assembly {
                pop(call(gas(), factory, 0, add(factoryData, 32), mload(factoryData), 0, 0))
            }
        }
        // ERC-1271; the selector is also the magic value that means yes.
        bytes4 magic = 0x1626ba7e;
        bytes memory question = abi.encodeWithSelector(magic, digest, signature);
        bool accepted;
        assembly {
            // One word is copied, however much comes back.
            let ok := staticcall(gas(), wallet, add(question, 32), mload(question), 0, 32)
            accepted := and(and(ok, gt(returndatasize(), 31)), eq(mload(0), magic))
            mstore(0, accepted)
            return(31, 1)
        }
    }
}
