import java.util.concurrent.ConcurrentLinkedQueue

import sbt._
import sbt.testing.{Event, NestedTestSelector, Selector, Status, TestSelector}

import scala.collection.JavaConverters._

/** Remembers the tests that fail, to name them again where a log ends: most logs are read from there. */
final class FailedTests extends TestReportListener {
  private val MessageLines = 12
  private val Frames = 10

  private val failures = new ConcurrentLinkedQueue[Event]

  override def startGroup(name: String): Unit = ()

  override def testEvent(event: TestEvent): Unit =
    event.detail.filter(test => test.status == Status.Failure || test.status == Status.Error).foreach(failures.add)

  override def endGroup(name: String, problem: Throwable): Unit = ()

  override def endGroup(name: String, result: TestResult): Unit = ()

  /** Nothing if no test has failed; else each with its message and the top of its stack. */
  def lines: Seq[String] = failures.asScala.toSeq.sortBy(_.fullyQualifiedName).flatMap(describe)

  private def describe(event: Event): Seq[String] =
    s"* ${event.fullyQualifiedName} ${name(event.selector)}".trim +:
      (if (event.throwable.isDefined) describe(event.throwable.get) else Nil)

  private def name(selector: Selector): String = selector match {
    case test: TestSelector => test.testName
    case nested: NestedTestSelector => s"${nested.suiteId} ${nested.testName}"
    case _ => ""
  }

  private def describe(problem: Throwable): Seq[String] = {
    // A fork sends the class and the message of what was thrown as the message of an error of its own.
    val message = String.valueOf(problem).stripPrefix("sbt.ForkMain$ForkError: ").linesIterator.take(MessageLines).map("    " + _)
    val stack = problem.getStackTrace.take(Frames).map("      at " + _)
    val cause = Option(problem.getCause).filter(_ ne problem).toSeq.flatMap(describe)
    message.toSeq ++ stack ++ cause.headOption.map("    caused by:" + _.drop(3)) ++ cause.drop(1)
  }
}
