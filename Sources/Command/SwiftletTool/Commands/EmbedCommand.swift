import SwiftletBase
import SwiftletCommandLine
import SwiftletText
import SwiftletVision

/// `embed`: image embeddings, which are close together for similar images.
enum EmbedCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "embed", summary: "turns images into vectors that tell how alike they are", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.picture],
    options: [
      .flag("l2-normalize", "scale each vector to length 1"),
      .flag("quantize", "give vectors of signed bytes"),
      .flag("compare", "print how alike two images are: the cosine of the angle between their vectors"),
      TaskArguments.regionOfInterest,
    ] + TaskArguments.declarations(for: .embed),
    notes: TaskArguments.operandNote + "\nWith --compare there are two images, and --roi holds for both.")

  static func run(_ arguments: Arguments) throws -> Int32 {
    let region = try TaskArguments.regionOfInterest(arguments)
    let options = ImageEmbedderOptions(
      baseOptions: try TaskArguments.baseOptions(arguments, default: .imageEmbedder),
      normalizesEmbedding: arguments.flag("l2-normalize"),
      quantizesEmbedding: arguments.flag("quantize"))
    let compares = arguments.flag("compare")
    if compares, arguments.string("annotate") != nil {
      throw UsageError("--compare and --annotate are mutually exclusive")
    }
    if compares, !arguments.flag("stdin-list") { try requireTwo(arguments.operands.count) }
    let runner = try TaskRunner(arguments)
    let embedder = try TaskRunner.load(options.baseOptions) { try ImageEmbedder(options: options) }
    let embedding: @Sendable (InputImage) throws -> Embedding = { try embedder.embedding(of: $0, region: region) }
    if compares {
      let pictures = try runner.values(atMost: 2, embedder.batchCapacity) { (path: $1, embedding: try embedding($0)) }
      try requireTwo(pictures.count)
      try runner.print(try comparison(pictures[0], pictures[1], model: options.baseOptions.modelName))
      return 0
    }
    return try runner.run(embedder.batchCapacity) { image, path in
      EmbeddingsResult(path: path, embedding: try embedding(image))
    }
  }

  private static func requireTwo(_ count: Int) throws(UsageError) {
    guard count == 2 else { throw UsageError("--compare takes two images, got \(count)") }
  }

  private typealias Picture = (path: String, embedding: Embedding)

  /// Returns the similarity of two images, by the first head of the model.
  private static func comparison(_ first: Picture, _ second: Picture, model: String) throws -> Comparison {
    guard !first.embedding.heads.isEmpty, !second.embedding.heads.isEmpty else {
      throw ToolError(file: model, reason: "gives no embedding to compare")
    }
    let similarity = try first.embedding.cosineSimilarity(to: second.embedding)
    let paths = [first.path, second.path]
    return Comparison(key: "images", names: paths, shown: paths.map(\.shown), similarity: similarity)
  }
}

/// `embed-text`: text embeddings, which are close together for similar texts.
enum EmbedTextCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "embed-text", summary: "turns texts into vectors that tell how alike they are", operands: "TEXT…",
    operandCount: TaskArguments.operandCount,
    options: [
      .flag("l2-normalize", "scale each vector to length 1"),
      .flag("quantize", "give vectors of signed bytes"),
      .flag("compare", "print how alike two texts are: the cosine of the angle between their vectors"),
    ] + TextRunner.declarations(),
    notes: TextRunner.operandNote + "\nWith --compare there are two texts.")

  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = TextEmbedderOptions(
      baseOptions: try TextRunner.baseOptions(arguments), normalizesEmbedding: arguments.flag("l2-normalize"),
      quantizesEmbedding: arguments.flag("quantize"))
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
