// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A wallet of several owners, m of whom must sign, in the way of a Safe: signatures of 65 bytes in
/// the order of their owners' addresses, one after the other (ERC-1271). It can hold nothing; it
/// is for tests on development chains only.
contract TestWallet {
    bytes4 private constant MAGIC = 0x1626ba7e;

    mapping(address => bool) public isOwner;
    uint256 public threshold;

    constructor(address[] memory owners, uint256 threshold_) {
        for (uint256 i = 0; i < owners.length; i++) isOwner[owners[i]] = true;
        threshold = threshold_;
    }

    /// Anybody may: tests play wallets whose owners change.
    function setOwner(address account, bool owner) external {
        isOwner[account] = owner;
    }

    function isValidSignature(bytes32 digest, bytes calldata signatures) external view returns (bytes4) {
        require(signatures.length >= threshold * 65, "too few signatures");
        address last = address(0);
        for (uint256 i = 0; i < threshold; i++) {
            bytes calldata one = signatures[i * 65:(i + 1) * 65];
            address signer = ecrecover(digest, uint8(one[64]), bytes32(one[0:32]), bytes32(one[32:64]));
            // Ascending order is what keeps one owner from being counted twice.
            if (signer <= last || !isOwner[signer]) return 0xffffffff;
            last = signer;
        }
        return MAGIC;
    }
}

/// Makes wallets at addresses that are known before (CREATE2), for counterfactual signatures (ERC-6492).
contract TestWalletFactory {
    event Created(address wallet);

    function create(address[] calldata owners, uint256 threshold, bytes32 salt) external {
        emit Created(address(new TestWallet{salt: salt}(owners, threshold)));
    }

    function addressOf(address[] calldata owners, uint256 threshold, bytes32 salt)
        external
        view
        returns (address)
    {
        bytes memory code = abi.encodePacked(type(TestWallet).creationCode, abi.encode(owners, threshold));
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, keccak256(code)));
        return address(uint160(uint256(hash)));
    }
}
