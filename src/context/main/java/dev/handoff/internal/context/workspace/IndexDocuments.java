package dev.handoff.internal.context.workspace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/// Lucene documents of a file: one per passage with its vector, then one with all other fields. The
/// text is stored too, so that a view never reads a file that may have changed.
final class IndexDocuments {

  /// File path, in every document of the file.
  static final String FILE = "file";

  /// File path, only in the file's main document.
  static final String PATH = "path";

  static final String NAMES = "names";
  static final String DEFINED = "defined";
  static final String ABOUT = "about";
  static final String TEXT = "text";
  static final String VECTOR = "vector";

  static final String SOURCE = "source";
  static final Set<String> STORED = Set.of(SOURCE);

  private static final String SIZE = "size";
  private static final String MODIFIED = "modified";
  private static final String READ = "read";
  private static final String HASH = "hash";
  private static final String SKIPPED = "skipped";
  private static final String DEFINES = "defines";
  private static final String MENTIONS = "mentions";

  private static final int MOST_NAMES = 4_000;
  private static final int LONGEST_NAME = 512;
  private static final FieldType WORDS = words();

  private IndexDocuments() {}

  private static FieldType words() {
    var type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.setTokenized(true);
    type.freeze();
    return type;
  }

  /// Names of an outline, within the storage limits.
  static List<String> kept(Set<String> names) {
    return names.stream()
        .filter(name -> !name.isEmpty() && name.length() <= LONGEST_NAME)
        .sorted()
        .limit(MOST_NAMES)
        .toList();
  }

  /// @param about descriptive first sentence of the file
  static List<Document> of(IndexEntry entry, String about, String text, List<float[]> vectors) {
    var documents = new ArrayList<Document>();
    for (var vector : vectors) {
      var passage = document(entry);
      passage.add(new KnnFloatVectorField(VECTOR, vector, VectorSimilarityFunction.DOT_PRODUCT));
      documents.add(passage);
    }
    var own = state(entry);
    own.add(new StoredField(SOURCE, text));
    own.add(new Field(NAMES, entry.path(), WORDS));
    own.add(new Field(DEFINED, String.join(" ", entry.defines()), WORDS));
    own.add(new Field(ABOUT, about, WORDS));
    own.add(new Field(TEXT, text, WORDS));
    documents.add(own);
    return documents;
  }

  /// Document of a skipped file, stored only to avoid reading it again.
  static List<Document> of(IndexEntry skipped) {
    return List.of(state(skipped));
  }

  private static Document document(IndexEntry entry) {
    var document = new Document();
    document.add(new StringField(FILE, entry.path(), Field.Store.NO));
    document.add(new SortedDocValuesField(FILE, bytes(entry.path())));
    return document;
  }

  private static Document state(IndexEntry entry) {
    var own = document(entry);
    own.add(new StringField(PATH, entry.path(), Field.Store.NO));
    own.add(new NumericDocValuesField(SIZE, entry.size()));
    times(entry).forEach(own::add);
    own.add(new BinaryDocValuesField(HASH, new BytesRef(entry.hash())));
    if (entry.skipped() != null) {
      own.add(new SortedDocValuesField(SKIPPED, new BytesRef(entry.skipped().name())));
    }
    add(own, DEFINES, entry.defines());
    add(own, MENTIONS, entry.mentions());
    return own;
  }

  /// Fields that change for a file with unchanged bytes.
  static List<Field> times(IndexEntry entry) {
    return List.of(
        new NumericDocValuesField(MODIFIED, entry.modified()),
        new NumericDocValuesField(READ, entry.read()));
  }

  private static void add(Document document, String field, Collection<String> names) {
    names.forEach(name -> document.add(new SortedSetDocValuesField(field, bytes(name))));
  }

  private static BytesRef bytes(String text) {
    return new BytesRef(text);
  }

  /// Entries of the files in an index segment.
  static void read(LeafReader leaf, Collection<IndexEntry> entries) throws IOException {
    var own = leaf.terms(PATH);
    if (own == null) {
      return;
    }
    var live = leaf.getLiveDocs();
    var files = DocValues.getSorted(leaf, FILE);
    var sizes = DocValues.getNumeric(leaf, SIZE);
    var modified = DocValues.getNumeric(leaf, MODIFIED);
    var read = DocValues.getNumeric(leaf, READ);
    var hashes = DocValues.getBinary(leaf, HASH);
    var skipped = DocValues.getSorted(leaf, SKIPPED);
    var defines = new Names(DocValues.getSortedSet(leaf, DEFINES));
    var mentions = new Names(DocValues.getSortedSet(leaf, MENTIONS));
    for (int doc = sizes.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = sizes.nextDoc()) {
      if (live != null && !live.get(doc)) {
        continue;
      }
      files.advanceExact(doc);
      modified.advanceExact(doc);
      read.advanceExact(doc);
      hashes.advanceExact(doc);
      entries.add(
          new IndexEntry(
              files.lookupOrd(files.ordValue()).utf8ToString(),
              sizes.longValue(),
              modified.longValue(),
              read.longValue(),
              hashes.binaryValue().utf8ToString(),
              skipped.advanceExact(doc) ? skip(skipped) : null,
              defines.of(doc),
              mentions.of(doc)));
    }
  }

  private static SkipReason skip(SortedDocValues values) throws IOException {
    return SkipReason.valueOf(values.lookupOrd(values.ordValue()).utf8ToString());
  }

  /// Name cache: names shared by many files become one string.
  private static final class Names {
    private final SortedSetDocValues values;
    private final String[] known;

    Names(SortedSetDocValues values) {
      this.values = values;
      this.known = new String[(int) values.getValueCount()];
    }

    List<String> of(int doc) throws IOException {
      var names = new ArrayList<String>();
      if (values.advanceExact(doc)) {
        for (int left = values.docValueCount(); left > 0; left--) {
          int ord = (int) values.nextOrd();
          if (known[ord] == null) {
            known[ord] = values.lookupOrd(ord).utf8ToString();
          }
          names.add(known[ord]);
        }
      }
      return names;
    }
  }
}
