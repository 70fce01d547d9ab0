package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView.Hit;
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

/// Searches in an index.
record IndexSearch(DirectoryReader reader) {

  private static final Comparator<Hit> BEST_FIRST =
      Comparator.comparingDouble(Hit::score).reversed().thenComparing(Hit::path);
  private static final Sort BY_SCORE =
      new Sort(SortField.FIELD_SCORE, new SortField(IndexDocuments.FILE, SortField.Type.STRING));

  private static final int MOST_TERMS = 64;
  private static final float NAMES_WEIGHT = 3;
  private static final float DEFINED_WEIGHT = 3;
  private static final float ABOUT_WEIGHT = 6;

  private record Rarity(String term, int files) {}

  /// Files that match the terms best.
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
        .addField(IndexDocuments.TEXT, 1)
        .addField(IndexDocuments.ABOUT, ABOUT_WEIGHT)
        .addField(IndexDocuments.DEFINED, DEFINED_WEIGHT)
        .addField(IndexDocuments.NAMES, NAMES_WEIGHT)
        .build();
  }

  /// Terms that occur in any file; of too many, the rarest, which are the most selective.
  private static List<String> telling(Set<String> terms, LiveSearcher searcher) throws IOException {
    var rarities = new ArrayList<Rarity>();
    for (var term : terms) {
      int files = 0;
      for (var field : List.of(IndexDocuments.TEXT, IndexDocuments.DEFINED, IndexDocuments.NAMES)) {
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

  /// Files with the passages nearest to a vector, by exhaustive comparison. The number of passages
  /// is moderate. Building a vector graph would dominate the indexing time, and its results would
  /// vary between builds.
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
    var vectors = leaf.reader().getFloatVectorValues(IndexDocuments.VECTOR);
    var scorer = vectors == null || vectors.size() == 0 ? null : vectors.scorer(vector);
    if (scorer == null || limit <= 0) {
      return;
    }
    var live = leaf.reader().getLiveDocs();
    var files = DocValues.getSorted(leaf.reader(), IndexDocuments.FILE);
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

  /// Reverses Lucene's scaling of a dot product to 0 … 1.
  private static double cosine(float score) {
    return 2.0 * score - 1;
  }

  /// Score of the last file within the limit.
  private static float least(float[] best, int limit) {
    var sorted = best.clone();
    Arrays.sort(sorted);
    return Math.max(Float.MIN_VALUE, sorted[Math.max(0, sorted.length - limit)]);
  }

  /// Stored text of a file.
  Optional<String> text(String path) throws IOException {
    var searcher = new IndexSearcher(reader);
    var found = searcher.search(new TermQuery(new Term(IndexDocuments.PATH, path)), 1).scoreDocs;
    if (found.length == 0) {
      return Optional.empty();
    }
    return Optional.ofNullable(
        searcher
            .storedFields()
            .document(found[0].doc, IndexDocuments.STORED)
            .get(IndexDocuments.SOURCE));
  }
}
