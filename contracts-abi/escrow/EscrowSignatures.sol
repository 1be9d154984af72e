// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {EscrowTerms} from "./EscrowTerms.sol";

/// @title Checks the signatures of an escrow's verifiers (EIP-712).
/// @dev OpenZeppelin's EIP712 stores the chain id in the code. The code of this contract does not
/// depend on the chain, so its hash is the same on every chain.
abstract contract EscrowSignatures is IERC5267 {
    using EscrowTerms for bytes;

    /// @param verifier the index of the verifier in the terms
    /// @param data an ECDSA signature of 65 bytes, or a signature for EIP-1271
    struct Signature {
        uint8 verifier;
        bytes data;
    }

    /// @notice The signature at position `i` is invalid, or the verifiers are not in rising order.
    error WrongSigner(uint256 i);
    /// @notice There are fewer signatures than `needed`.
    error MissingSignatures(uint256 needed);

    string private constant NAME = "Fundproof Escrow";
    string private constant VERSION = "1";
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );

    /// @inheritdoc IERC5267
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (hex"0f", NAME, VERSION, block.chainid, address(this), 0, new uint256[](0));
    }

    /// @dev Each signature must be valid, also if there are more than `needed`. The indices rise,
    /// so no verifier counts twice.
    /// @return signers bit i is set if verifier i signed
    function _requireSignatures(
        bytes memory terms,
        Signature[] calldata signatures,
        uint256 needed,
        bytes32 structHash
    ) internal view returns (uint256 signers) {
        if (signatures.length < needed) revert MissingSignatures(needed);
        bytes32 digest = _digestOf(structHash);
        uint256 lowest = 0;
        for (uint256 i = 0; i < signatures.length; i++) {
            uint256 verifier = signatures[i].verifier;
            if (verifier < lowest || !_isSignedBy(terms, digest, signatures[i])) {
                revert WrongSigner(i);
            }
            signers |= 1 << verifier;
            lowest = verifier + 1;
        }
    }

    /// @return verifier the address of the verifier that signed
    function _requireOneSignature(
        bytes memory terms,
        Signature calldata signature,
        bytes32 structHash
    ) internal view returns (address verifier) {
        if (!_isSignedBy(terms, _digestOf(structHash), signature)) revert WrongSigner(0);
        return terms.verifier(signature.verifier);
    }

    /// @dev Tries ECDSA first. With EIP-7702, an address with a key can have code, and its key
    /// must still be able to sign.
    function _isSignedBy(bytes memory terms, bytes32 digest, Signature calldata signature)
        private
        view
        returns (bool)
    {
        if (signature.verifier >= terms.verifierCount()) return false;
        address verifier = terms.verifier(signature.verifier);
        (address signer, ECDSA.RecoverError fault,) = ECDSA.tryRecover(digest, signature.data);
        if (fault == ECDSA.RecoverError.NoError && signer == verifier) return true;
        return verifier.code.length > 0
            && SignatureChecker.isValidERC1271SignatureNow(verifier, digest, signature.data);
    }

    function _digestOf(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPE,
                keccak256(bytes(NAME)),
                keccak256(bytes(VERSION)),
                block.chainid,
                address(this)
            )
        );
        return MessageHashUtils.toTypedDataHash(domain, structHash);
    }
}
