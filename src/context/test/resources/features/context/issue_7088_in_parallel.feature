@issue_7088
Feature: Strategies in parallel take nothing from each other
  Several plans use one breaker at once, with strategies run in parallel: one failing strategy never takes results
  from the others, and recovers by itself.

  Background:
    Given the strategy "failing" fails
    And the strategy "hanging" never ends, and has half a second
    And the strategy "working" finds "docs/answer.md"

  Scenario: One fails, one hangs, one works
    When a context is assembled
    Then it holds "docs/answer.md"
    And it was there within 5 seconds
    And the report says that "failing" failed
    And the report says that "hanging" timed out
    And the report says that "working" found

  Scenario: What fails is left alone, tried once later, and used again
    When a context is assembled 3 times
    Then the breaker of "failing" is open
    And "failing" was called 3 times
    When a context is assembled 2 times
    Then "failing" was called 3 times
    And the report says that "failing" rejected
    And it holds "docs/answer.md"
    Given the strategy "failing" works again
    When the breaker's time is over
    And a context is assembled
    Then "failing" was called 4 times
    And the breaker of "failing" is closed
    And the report says that "failing" found

  Scenario: What still fails when it is tried is left alone for longer
    When a context is assembled 3 times
    And the breaker's time is over
    And a context is assembled 2 times
    Then "failing" was called 4 times
    And the breaker of "failing" is open
    When the breaker's time is over
    And a context is assembled
    Then "failing" was called 4 times

  Scenario: Many requests at once meet the same breaker
    When 20 contexts are assembled at the same time
    Then each of them holds "docs/answer.md"
    And the breaker of "failing" is open
    And the breaker of "failing" has counted every call of it

  Scenario: A cancelled request stops everything and leaves nothing behind
    When a context is asked for, and cancelled while "hanging" looks
    Then the answer is that it was cancelled
    And the report says that "hanging" stopped
    And "hanging" was interrupted
    And no breaker has a permit out
    And the breaker of "hanging" has no failures
