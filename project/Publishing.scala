import sbt._
import sbt.Keys._

import scala.xml.{Node, NodeSeq}
import scala.xml.transform.{RewriteRule, RuleTransformer}

/** What is published: the POM, and the jars of classes, sources and Javadoc. */
object Publishing {
  /** @param module name of the module for those who use modules */
  def settings(module: String): Seq[Setting[_]] = Seq(
    organizationName := "Handoff",
    pomExtra := developers,
    pomIncludeRepository := (_ => false),
    pomPostProcess := (pom => new RuleTransformer(WithoutTests).transform(pom).head),
    Compile / packageBin / packageOptions += Package.ManifestAttributes("Automatic-Module-Name" -> module)
  ) ++ Seq(publish, publishLocal, publishM2).map { task =>
    // Not among the artifacts of the project, all of which `stage` would make.
    task / packagedArtifacts += (Compile / packageDoc / artifact).value -> (Compile / packageDoc).value
  }

  private val developers: NodeSeq =
    <developers>
      <developer>
        <name>Handoff</name>
        <organization>Handoff</organization>
      </developer>
    </developers>

  /** Libraries of the tests are nothing to users. */
  private object WithoutTests extends RewriteRule {
    override def transform(node: Node): Seq[Node] =
      if (node.label == "dependency" && (node \ "scope").text == "test") NodeSeq.Empty else node
  }
}
