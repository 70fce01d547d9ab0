/** The Java that this build runs on, and that it starts. */
object Jvm {
  val least = 21

  val version: Int = Runtime.version.feature

  /** What keeps a JVM from warning about native libraries and sun.misc.Unsafe, which SQLite, JLine and Scala use. */
  val quietFlags: Seq[String] =
    "--enable-native-access=ALL-UNNAMED" +:
      (if (version >= 23) Seq("--sun-misc-unsafe-memory-access=allow") else Nil)

  /** The program that starts it. */
  val command: String = s"${sys.props("java.home")}/bin/java"

  def check(): Unit =
    if (version < least)
      sys.error(s"This build needs a JDK of at least $least, and runs on $version. Start it with ./sbt, which finds one.")
}
