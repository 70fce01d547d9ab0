@issue_7357
Feature: A job is handed to exactly one worker

  An idle worker is offered to a job, and the job takes it in its own mailbox, durably, before the worker hears of it.
  There is no list of queued jobs that could be read too late, and nothing that two could change.

  Scenario: No worker hears of a job before its claim is durable
    Given an engine whose store waits before it writes
    And a job has been accepted
    When the store is asked to keep that the job is claimed
    Then no handler has started
    When the store has written that
    Then its handler starts as attempt 1

  Scenario: What is handed out is a snapshot
    Given an engine
    And a job that runs
    When a client looks at the job
    And its handler ends
    Then the client still has a job that is "running"
    And the client cannot change what it has
    And the job is "succeeded"

  Scenario Outline: Many clients, many rounds of handing out, slow starts
    Given an engine with <workers> workers and a slow store
    When <clients> clients submit <jobs> jobs each at the same time
    Then each job was started once, as attempt 1
    And the history breaks no rule

    Examples:
      | workers | clients | jobs |
      | 1       | 4       | 25   |
      | 8       | 16      | 25   |
      | 64      | 8       | 50   |

  Scenario: Another attempt has a recorded cause
    Given an engine
    And a job that runs
    When its handler fails
    Then its handler starts as attempt 2
    And attempt 1 is on record as "failed"

  Scenario: Jobs that are handed out do not starve those behind them
    Given an engine with 2 workers
    And a job that runs
    When 50 jobs are submitted that end at once
    Then all of them have ended while the first one runs

  Scenario Outline: Whoever cancels a job that is being handed out gets an honest answer
    Given an engine whose store waits before it writes
    And a job has been accepted
    When it is cancelled while <moment>
    Then the client is told that it <answer>
    And its handler <handler>

    Examples:
      | moment                        | answer        | handler              |
      | nobody can run it             | was cancelled | was never called     |
      | its claim is being written    | was cancelled | does not run         |
      | it runs                       | was cancelled | has seen the cancel  |
      | its success is being written  | had succeeded | does not run         |
