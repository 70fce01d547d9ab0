@issue_7120
Feature: A change lands in the changeset that its reply names

  Starting a changeset and recording in it go through the plan's mailbox, one after the other. There is no list whose last
  element could be another one by the time it is read, and nothing is answered before it is durable.

  Scenario: The reply to a record names the set that it went to
    Given a plan that runs
    And a changeset "first"
    And a changeset "second"
    When a caller records "a.txt" in the latest changeset
    And a caller records "b.txt" in changeset "first"
    Then the reply for "a.txt" names changeset "second"
    And the reply for "b.txt" names changeset "first"
    And changeset "first" holds "b.txt" and nothing else
    And changeset "second" holds "a.txt" and nothing else

  Scenario: What is recorded while a changeset is being started is in the set that its reply names
    Given a plan that runs, on a store that waits before it writes
    When a changeset "first" is being started
    And a caller records "a.txt" in the latest one while changeset "second" is being started
    Then nobody has been answered
    When the store has written
    Then the entry "a.txt" is where its reply says, and nowhere else

  Scenario: Recording with no open changeset is refused with a clear error
    Given a plan that runs
    When a caller records "a.txt" in the latest changeset
    Then the caller is told "No active changeset: start one first"
    And no changeset holds "a.txt"

  Scenario: Recording after the last changeset was closed is refused, and not moved
    Given a plan that runs
    And a changeset "first"
    And changeset "first" is closed
    When a caller records "a.txt" in the latest changeset
    Then the caller is told "No active changeset: start one first"
    And no changeset holds "a.txt"

  Scenario Outline: An entry for a set that is not open any more is refused, and not moved
    Given a plan that runs
    And a changeset "first"
    And changeset "first" is <ended>
    And a changeset "second"
    When a caller records "a.txt" in changeset "first"
    Then the caller is told "<answer>"
    And no changeset holds "a.txt"

    Examples:
      | ended     | answer                                           |
      | closed    | changeset c1 is closed: start another one        |
      | discarded | changeset c1 is dropped: start another one       |

  Scenario: An entry for a set that never was is refused
    Given a plan that runs
    When a caller records "a.txt" in a changeset that never was
    Then the caller is told that there is no changeset "c9"

  Scenario: A changeset that was superseded stays what it was for those who name it
    Given a plan that runs
    And a changeset "mine"
    And a changeset "of somebody else"
    When a caller records "a.txt" in changeset "mine"
    Then changeset "mine" holds "a.txt" and nothing else
    And changeset "of somebody else" holds nothing

  Scenario Outline: Many callers start and record at once
    Given a plan that runs
    When <callers> callers start and record <acts> times each at the same time
    Then every entry is in exactly the set that its reply named, in order
    When the engine is started again
    Then every entry is in exactly the set that its reply named, in order
    When all changesets are closed
    Then the chain verifies

    Examples:
      | callers | acts |
      | 2       | 50   |
      | 32      | 20   |

  Scenario: What was discarded is gone, also after a restart
    Given a plan that runs
    And a changeset "first"
    When a caller records "a.txt" in changeset "first"
    And changeset "first" is discarded
    And the engine is started again
    Then no changeset holds "a.txt"

  Scenario Outline: The changes of a step are committed with its success, or not at all
    Given a plan that runs
    When its step records "a.txt" and then <ends>
    Then the plan <has> "a.txt"

    Examples:
      | ends                | has     |
      | succeeds            | has     |
      | fails               | has not |
      | is cancelled        | has not |

  Scenario: Nobody sees the changes of a step before its success is durable
    Given a plan that runs, on a store that waits before it writes
    When its step has recorded "a.txt" and its success is being written
    Then the plan has not "a.txt"
    When the store has written
    Then the plan has "a.txt"

  Scenario: A step that is tried again leaves the changes of the attempt that succeeded
    Given a plan that runs
    When its step records "a.txt" and then fails, and is tried again
    And its step records "b.txt" and then succeeds
    Then the plan has "b.txt"
    And the plan has not "a.txt"
