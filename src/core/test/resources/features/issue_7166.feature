@issue_7166
Feature: A cancel is never lost, and never taken back

  A token belongs to one attempt. It can be cancelled once and stays so. What was once a reset is a retry: the next
  attempt has a token of its own, and nobody can make the old one say anything else.

  Scenario: A waiter that was woken sees the cancel, although a retry came in between
    Given attempt 1 of a job has a token
    And a thread waits for the token of attempt 1, and stops between waking and looking
    When attempt 1 is cancelled
    And the waiting thread has been woken
    And the job is retried as attempt 2
    And the waiting thread goes on to look
    Then the waiting thread has seen "cancelled"
    And the token of attempt 1 is cancelled
    And the token of attempt 2 is not cancelled

  Scenario: A teardown that goes on after a retry is not told that it should stop tearing down
    Given attempt 1 of a job has a token
    And attempt 1 is cancelled
    When the job is retried as attempt 2
    Then code of attempt 1 that asks its token is stopped
    And code of attempt 2 that asks its token goes on

  Scenario: A loop that looks now and then does not miss a cancel that was followed by a retry at once
    Given attempt 1 of a job has a token
    And a loop looks at the token of attempt 1 until it is cancelled
    When attempt 1 is cancelled and the job is retried as attempt 2 in the same moment
    Then the loop has ended
    And the token of attempt 2 is not cancelled

  Scenario Outline: Whoever comes when, each hears of the cancel exactly once
    Given attempt 1 of a job has a token
    When these happen in this order: <order>
    Then each callback of attempt 1 was called once and saw "cancelled"
    And the token of attempt 1 is cancelled

    Examples:
      | order                             |
      | callback, cancel                  |
      | cancel, callback                  |
      | callback, cancel, callback        |
      | callback, retry, cancel           |
      | callback, cancel, retry, callback |
      | cancel, retry, callback, cancel   |

  Scenario: Cancelling from many threads is safe, and one of them is told that it was the first
    Given attempt 1 of a job has a token
    When 32 threads cancel attempt 1 at the same time
    Then one of them was the first
    And the token of attempt 1 is cancelled
    And its reason is that of the first

  Scenario: Cancelling the attempt before does not touch the one that runs
    Given attempt 1 of a job has a token
    And the job is retried as attempt 2
    When attempt 1 is cancelled
    Then the token of attempt 1 is cancelled
    And the token of attempt 2 is not cancelled

  Scenario: A retry of a cancelled job gets a token of its own
    Given an engine
    And a job that runs
    When it is cancelled while it runs
    And the job is opened again
    Then its handler starts as attempt 2
    And the token of the handler that ran as attempt 1 is cancelled
    And the token of the handler that runs as attempt 2 is not cancelled
    When its handler ends
    Then the job is "succeeded"

  Scenario: Many clients cancel a running job at the same time, and each is answered
    Given an engine
    And a job that runs
    When 32 clients cancel it at the same time
    Then each of them is told that it was cancelled
    And its handler has seen the cancel

  Scenario: A cancel and the retry of a failure race, and the cancel is not lost
    Given an engine whose store waits before it writes
    And a job has been accepted
    When it is cancelled while the failure of its first attempt is being written
    Then the client is told that it was cancelled
    And its handler has run once

  Scenario: A waiting handler is woken, and sees the cancel
    Given an engine
    And a job that waits for its token
    When it is cancelled while it runs
    Then the waiting handler has seen "cancelled"
