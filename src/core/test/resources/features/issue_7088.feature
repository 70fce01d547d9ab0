@issue_7088
Feature: A breaker counts exactly and recovers by itself

  A breaker is an actor: whoever wants to call asks it for a permit, and reports what became of the call. It takes one
  message after the other, so nothing is lost between threads, and nothing is shared between plans.

  Scenario: Concurrent failures are counted exactly, and the threshold is reached exactly
    Given a breaker that opens after 6400 failures in a row
    When 64 threads report 99 failures each at the same time
    Then the breaker is "closed"
    And it has counted 6336 calls, 0 successes and 6336 failures
    When 64 threads report 1 failures each at the same time
    Then the breaker is "open"
    And it has counted 6400 calls, 0 successes and 6400 failures

  Scenario: A success begins the count of failures anew
    Given a breaker that opens after 3 failures in a row
    When these happen one after the other: failure, failure, success, failure, failure
    Then the breaker is "closed"
    When these happen one after the other: failure
    Then the breaker is "open"
    And it has counted 6 calls, 1 successes and 5 failures

  Scenario Outline: Successes, failures and resets at once leave what some order of them explains
    Given a breaker that opens after 3 failures in a row
    When <threads> threads report <each> of everything at the same time, and the breaker is reset now and then
    Then every call is counted exactly once
    And the failures in a row fit the state

    Examples:
      | threads | each |
      | 2       | 500  |
      | 16      | 200  |
      | 64      | 50   |

  Scenario: A reset is not lost
    Given a breaker that opens after 3 failures in a row
    And a call that began before
    When these happen one after the other: failure, failure, failure
    And the breaker is reset
    And the call that began before fails
    Then the breaker is "closed"
    And the next call is let through

  Scenario: Nothing waits inside the breaker
    Given a breaker that opens after 3 failures in a row
    When 200 calls are made that never end
    Then the breaker still answers
    And 200 permits are out

  Scenario: It recovers by itself
    Given a breaker that opens after 3 failures in a row
    When these happen one after the other: failure, failure, failure
    Then the next call is refused until 30 seconds from now
    When 30 seconds pass
    Then the next call is let through as a trial
    And the call after it is refused
    When the trial succeeds
    Then the breaker is "closed"

  Scenario: A trial that fails keeps it open for longer
    Given a breaker that opens after 3 failures in a row
    When these happen one after the other: failure, failure, failure
    And 30 seconds pass
    Then the next call is let through as a trial
    When the trial fails
    Then the next call is refused until 60 seconds from now

  Scenario: A trial that hangs does not block it for ever
    Given a breaker that opens after 3 failures in a row
    When these happen one after the other: failure, failure, failure
    And 30 seconds pass
    Then the next call is let through as a trial
    When 30 seconds pass
    Then the next call is refused until 60 seconds from now
    When 60 seconds pass
    Then the next call is let through as a trial

  Scenario: A success from before does not close it under a running trial
    Given a breaker that opens after 3 failures in a row
    And a call that began before
    When these happen one after the other: failure, failure, failure
    And 30 seconds pass
    Then the next call is let through as a trial
    When the call that began before succeeds
    Then the breaker is "half open"
    And the call after it is refused
