// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A price feed of development chains, which says what a test tells it to.
/// @dev Answers the questions of Chainlink's AggregatorV3Interface. A round is named as its proxies
/// name it: the phase in the upper bits, the round of that phase's aggregator in the lower 64.
contract TestAggregator {
    struct Round {
        int256 answer;
        uint256 startedAt;
        uint256 updatedAt;
    }

    uint8 public decimals;
    string public description;
    uint80 public latest;
    bool public failing;
    mapping(uint80 roundId => Round) public rounds;

    error NoDataPresent();
    error Failing();

    constructor(string memory description_, uint8 decimals_) {
        description = description_;
        decimals = decimals_;
    }

    function setDecimals(uint8 decimals_) external {
        decimals = decimals_;
    }

    function setDescription(string calldata description_) external {
        description = description_;
    }

    function setFailing(bool failing_) external {
        failing = failing_;
    }

    /// @notice Writes a round with the times as given, without making it the latest one.
    function writeRound(uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt) external {
        rounds[roundId] = Round(answer, startedAt, updatedAt);
    }

    /// @notice Writes a round with the times as given, and makes it the latest one.
    function setRound(uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt) external {
        rounds[roundId] = Round(answer, startedAt, updatedAt);
        latest = roundId;
    }

    /// @notice Writes the next round of a phase at the block's time, and makes it the latest one.
    function transmit(int256 answer) external {
        latest = latest == 0 ? (uint80(1) << 64) | 1 : latest + 1;
        rounds[latest] = Round(answer, block.timestamp, block.timestamp);
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return _read(latest);
    }

    function getRoundData(uint80 roundId_)
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return _read(roundId_);
    }

    function _read(uint80 roundId) private view returns (uint80, int256, uint256, uint256, uint80) {
        if (failing) revert Failing();
        Round storage round = rounds[roundId];
        if (round.startedAt == 0 && round.updatedAt == 0 && round.answer == 0) revert NoDataPresent();
        return (roundId, round.answer, round.startedAt, round.updatedAt, roundId);
    }
}
