// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The functions of forge's test VM that these tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest)
        external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestamp) external;
    function getBlockTimestamp() external view returns (uint256);
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function prank(address sender) external;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata reason) external;
    function expectEmit(address emitter) external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256 id) external returns (bool);
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function envOr(string calldata name, string calldata fallbackValue)
        external view returns (string memory);
    function toString(uint256 value) external pure returns (string memory);
    function writeFile(string calldata path, string calldata data) external;
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonAddress(string calldata json, string calldata key)
        external pure returns (address);
    function parseJsonBytes32(string calldata json, string calldata key)
        external pure returns (bytes32);
    function parseJsonBytes(string calldata json, string calldata key)
        external pure returns (bytes memory);
    function deployCode(string calldata path) external returns (address);
    function snapshotGasLastCall(string calldata group, string calldata name)
        external returns (uint256);
    function assertTrue(bool condition, string calldata what) external pure;
    function assertEq(uint256 left, uint256 right, string calldata what) external pure;
    function assertEq(address left, address right, string calldata what) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata what) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata what)
        external pure;
}
