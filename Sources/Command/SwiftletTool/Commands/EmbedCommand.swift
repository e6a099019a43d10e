import SwiftletBase
import SwiftletCommandLine
import SwiftletText
import SwiftletVision

/// `embed`: image embeddings, which are close together for similar images.
enum EmbedCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "embed", summary: "compute image embeddings", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.image],
    options: [
      .flag("l2-normalize", "normalize each embedding to unit length"),
      .flag("quantize", "quantize embeddings to int8"),
      .flag("compare", "print the cosine similarity of two images"),
      TaskArguments.regionOfInterest,
    ] + TaskArguments.declarations(for: .embed),
    notes: TaskArguments.operandNote + "\n--compare requires two images; --roi applies to both.")

  /// Returns the options of the task from the command line.
  static func options(_ arguments: Arguments, _ base: BaseOptions) -> ImageEmbedderOptions {
    ImageEmbedderOptions(
      baseOptions: base, normalizesEmbedding: arguments.flag("l2-normalize"),
      quantizesEmbedding: arguments.flag("quantize"))
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let region = try TaskArguments.regionOfInterest(arguments)
    let options = options(arguments, try TaskArguments.baseOptions(arguments, default: .imageEmbedder))
    let compares = arguments.flag("compare")
    if compares, arguments.string("annotate") != nil {
      throw UsageError("--compare and --annotate are mutually exclusive")
    }
    if compares, !arguments.flag("stdin-list") { try requireTwo(arguments.operands.count) }
    let runner = try TaskRunner(arguments)
    let embedder = try TaskRunner.load(options.baseOptions) { try ImageEmbedder(options: options) }
    let embedding: @Sendable (InputImage) throws -> Embedding = { try embedder.embedding(of: $0, region: region) }
    if compares {
      let embeddings = try runner.values(atMost: 2, embedder.batchCapacity) { (path: $1, embedding: try embedding($0)) }
      try requireTwo(embeddings.count)
      try runner.print(try comparison(embeddings[0], embeddings[1], model: options.baseOptions.modelName))
      return 0
    }
    return try runner.run(embedder.batchCapacity) { image, path in
      EmbeddingsResult(path: path, embedding: try embedding(image))
    }
  }

  private static func requireTwo(_ count: Int) throws(UsageError) {
    guard count == 2 else { throw UsageError("--compare takes two images, got \(count)") }
  }

  private typealias ImageEmbedding = (path: String, embedding: Embedding)

  /// Returns the similarity of two images, by the first head of the model.
  private static func comparison(_ first: ImageEmbedding, _ second: ImageEmbedding, model: String) throws -> Comparison
  {
    guard !first.embedding.heads.isEmpty, !second.embedding.heads.isEmpty else {
      throw ToolError(file: model, reason: "gives no embedding to compare")
    }
    let similarity = try first.embedding.cosineSimilarity(to: second.embedding)
    let paths = [first.path, second.path]
    return Comparison(key: "images", names: paths, shown: paths.map(\.sanitized), similarity: similarity)
  }
}

/// `embed-text`: text embeddings, which are close together for similar texts.
enum EmbedTextCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "embed-text", summary: "compute text embeddings", operands: "TEXT…",
    operandCount: TaskArguments.operandCount,
    options: [
      .flag("l2-normalize", "normalize each embedding to unit length"),
      .flag("quantize", "quantize embeddings to int8"),
      .flag("compare", "print the cosine similarity of two texts"),
    ] + TextRunner.declarations(),
    notes: TextRunner.operandNote + "\n--compare requires two texts.")

  /// Returns the options of the task from the command line.
  static func options(_ arguments: Arguments, _ base: BaseOptions) -> TextEmbedderOptions {
    TextEmbedderOptions(
      baseOptions: base, normalizesEmbedding: arguments.flag("l2-normalize"),
      quantizesEmbedding: arguments.flag("quantize"))
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = options(arguments, try TextRunner.baseOptions(arguments))
    let compares = arguments.flag("compare")
    if compares, !arguments.operands.contains("-") { try requireTwo(arguments.operands.count) }
    let runner = try TextRunner(arguments)
    let embedder = try TaskRunner.load(options.baseOptions) { try TextEmbedder(options: options) }
    if compares {
      let texts = try runner.values(atMost: 2, embedder.batchCapacity) {
        (text: $0, embedding: try embedder.embedding(of: $0))
      }
      try requireTwo(texts.count)
      let similarity = try texts[0].embedding.cosineSimilarity(to: texts[1].embedding)
      try runner.print(
        Comparison(
          key: "texts", names: texts.map(\.text), shown: texts.map { TextRunner.shown($0.text) }, similarity: similarity
        ))
      return 0
    }
    return try runner.run(embedder.batchCapacity) { text in
      let embedding = try embedder.embedding(of: text)
      return TextResult(subject: text, members: ["embeddings": embedding.json], lines: embedding.text)
    }
  }

  private static func requireTwo(_ count: Int) throws(UsageError) {
    guard count == 2 else { throw UsageError("--compare takes two texts, got \(count)") }
  }
}
