package dev.handoff.context.workspace;

import dev.handoff.context.workspace.WorkspaceView.Hit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/// Looks into an index.
record Search(DirectoryReader reader) {

  private static final Comparator<Hit> BEST_FIRST =
      Comparator.comparingDouble(Hit::score).reversed().thenComparing(Hit::path);
  private static final Sort BY_SCORE =
      new Sort(SortField.FIELD_SCORE, new SortField(Documents.FILE, SortField.Type.STRING));

  private static final int MOST_TERMS = 64;
  private static final float NAMES_WEIGHT = 3;
  private static final float DEFINED_WEIGHT = 3;
  private static final float ABOUT_WEIGHT = 6;

  private record Rarity(String term, int files) {}

  /// The files whose words are most like some terms.
  List<Hit> words(Set<String> terms, int limit) throws IOException {
    var searcher = new LiveSearcher(reader);
    var query = new BooleanQuery.Builder();
    for (var term : telling(terms, searcher)) {
      query.add(query(term), BooleanClause.Occur.SHOULD);
    }
    int most = Math.min(limit, reader.maxDoc());
    var built = query.build();
    if (most <= 0 || built.clauses().isEmpty()) {
      return List.of();
    }
    var hits = new ArrayList<Hit>();
    for (var found : searcher.search(built, most, BY_SCORE).scoreDocs) {
      var fields = ((FieldDoc) found).fields;
      var path = ((BytesRef) fields[1]).utf8ToString();
      hits.add(new Hit(path, (Float) fields[0]));
    }
    return hits;
  }

  private static Query query(String term) {
    return new CombinedFieldQuery.Builder(term)
        .addField(Documents.TEXT, 1)
        .addField(Documents.ABOUT, ABOUT_WEIGHT)
        .addField(Documents.DEFINED, DEFINED_WEIGHT)
        .addField(Documents.NAMES, NAMES_WEIGHT)
        .build();
  }

  /// Those that any file has; of very many the rarest, which tell most.
  private static List<String> telling(Set<String> terms, LiveSearcher searcher) throws IOException {
    var rarities = new ArrayList<Rarity>();
    for (var term : terms) {
      int files = 0;
      for (var field : List.of(Documents.TEXT, Documents.DEFINED, Documents.NAMES)) {
        files = Math.max(files, searcher.frequency(new Term(field, term)));
      }
      if (files > 0) {
        rarities.add(new Rarity(term, files));
      }
    }
    if (rarities.size() > MOST_TERMS) {
      rarities.sort(Comparator.comparingInt(Rarity::files).thenComparing(Rarity::term));
    }
    return rarities.stream().limit(MOST_TERMS).map(Rarity::term).toList();
  }

  /// The files with a passage nearest to a vector. Every passage is compared: there are not so many
  /// of them, and a graph of them would take longer to make than all the rest of the index, and
  /// would not find the same when it is made again.
  List<Hit> nearest(float[] vector, int limit) throws IOException {
    var hits = new ArrayList<Hit>();
    for (var leaf : reader.leaves()) {
      best(leaf, vector, limit, hits);
    }
    hits.sort(BEST_FIRST);
    return List.copyOf(hits.subList(0, Math.clamp(limit, 0, hits.size())));
  }

  private static void best(LeafReaderContext leaf, float[] vector, int limit, List<Hit> hits)
      throws IOException {
    var vectors = leaf.reader().getFloatVectorValues(Documents.VECTOR);
    var scorer = vectors == null || vectors.size() == 0 ? null : vectors.scorer(vector);
    if (scorer == null || limit <= 0) {
      return;
    }
    var live = leaf.reader().getLiveDocs();
    var files = DocValues.getSorted(leaf.reader(), Documents.FILE);
    var best = new float[files.getValueCount()];
    var passages = scorer.iterator();
    while (passages.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      int doc = passages.docID();
      if ((live == null || live.get(doc)) && files.advanceExact(doc)) {
        best[files.ordValue()] = Math.max(best[files.ordValue()], scorer.score());
      }
    }
    float least = least(best, limit);
    for (int ord = 0; ord < best.length; ord++) {
      if (best[ord] >= least) {
        hits.add(new Hit(files.lookupOrd(ord).utf8ToString(), cosine(best[ord])));
      }
    }
  }

  /// Lucene's score for a dot product is 0 to 1.
  private static double cosine(float score) {
    return 2.0 * score - 1;
  }

  /// What the last of the best has.
  private static float least(float[] best, int limit) {
    var sorted = best.clone();
    Arrays.sort(sorted);
    return Math.max(Float.MIN_VALUE, sorted[Math.max(0, sorted.length - limit)]);
  }

  /// The text of a file.
  Optional<String> text(String path) throws IOException {
    var searcher = new IndexSearcher(reader);
    var found = searcher.search(new TermQuery(new Term(Documents.PATH, path)), 1).scoreDocs;
    if (found.length == 0) {
      return Optional.empty();
    }
    return Optional.ofNullable(
        searcher.storedFields().document(found[0].doc, Documents.STORED).get(Documents.SOURCE));
  }
}
