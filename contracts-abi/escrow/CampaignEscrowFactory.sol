// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {CampaignEscrow} from "./CampaignEscrow.sol";
import {EscrowTerms} from "./EscrowTerms.sol";

/// @title Deploys the escrows of campaigns.
/// @notice The address of an escrow depends only on its terms, so donors can pay before the
/// deployment. The factory has no owner and holds no money.
contract CampaignEscrowFactory {
    /// @notice The code that all escrows run. It has no terms, so its own functions refuse calls.
    address public immutable implementation = address(new CampaignEscrow());

    event EscrowDeployed(address indexed escrow, bytes32 indexed campaign, bytes terms);

    /// @param rule the first rule of {check} that the terms break, or 16 if the escrow would be its
    /// own recipient
    error InvalidTerms(uint256 rule);

    /// @notice Deploys the escrow of these terms. Any account may call this, more than once.
    /// @param terms packed as {EscrowTerms} describes
    function deploy(bytes calldata terms) external returns (address escrow) {
        escrow = predict(terms);
        if (escrow.code.length > 0) return escrow;
        Clones.cloneDeterministicWithImmutableArgs(implementation, terms, 0);
        CampaignEscrow(escrow).open();
        emit EscrowDeployed(escrow, EscrowTerms.campaign(terms), terms);
    }

    /// @notice Returns the address of the escrow of these terms, deployed or not. Reverts for terms
    /// that {deploy} refuses, because money at their address would be lost.
    function predict(bytes calldata terms) public view returns (address escrow) {
        uint256 rule = EscrowTerms.check(terms);
        if (rule != 0) revert InvalidTerms(rule);
        escrow = Clones.predictDeterministicAddressWithImmutableArgs(implementation, terms, 0);
        if (EscrowTerms.recipient(terms) == escrow) revert InvalidTerms(16);
    }

    /// @notice Returns the first rule that the terms break, or 0 if they are valid.
    function check(bytes calldata terms) external pure returns (uint256 rule) {
        return EscrowTerms.check(terms);
    }
}
