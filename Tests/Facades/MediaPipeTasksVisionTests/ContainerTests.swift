import Foundation
import MediaPipeTasksVision
import Testing

@Suite("Containers")
struct ContainerTests {
  @Test("keypoints are equal if their values are")
  func keypoints() {
    let point = NormalizedKeypoint(location: CGPoint(x: 0.25, y: 0.5), label: "nose", score: 0.5)
    let twin = NormalizedKeypoint(location: CGPoint(x: 0.25, y: 0.5), label: String("eson".reversed()), score: 0.5)
    #expect(point == twin)
    #expect(point.hash == twin.hash)
    #expect(Set([point, twin]).count == 1)
    #expect(point != NormalizedKeypoint(location: CGPoint(x: 0.25, y: 0.25), label: "nose", score: 0.5))
    #expect(point != NormalizedKeypoint(location: CGPoint(x: 0.25, y: 0.5), label: nil, score: 0.5))
    #expect(point != NormalizedKeypoint(location: CGPoint(x: 0.25, y: 0.5), label: "nose", score: 0))
    #expect(!point.isEqual("nose"))
  }

  @Test("heads can be passed with the label that Swift imports from Objective-C")
  func heads() {
    let embedding = Embedding(floatEmbedding: [1], quantizedEmbedding: nil, head: 2, headName: "a")
    #expect(embedding.headIndex == 2 && embedding.headName == "a" && embedding.floatEmbedding == [1])
    #expect(Classifications(head: 3, categories: []).headIndex == 3)
  }

  @Test("landmarks are equal if they are at the same position")
  func landmarks() {
    let point = NormalizedLandmark(x: 0.25, y: 0.5, z: -0.125, visibility: 0.5, presence: nil)
    let near = NormalizedLandmark(x: 0.250_000_5, y: 0.499_999_5, z: -0.125, visibility: nil, presence: 1)
    #expect(point == near && point.hash == near.hash && Set([point, near]).count == 1)
    #expect(point.visibility == 0.5 && point.presence == nil && near.presence == 1)
    let others: [(Float, Float, Float)] = [
      (0.25001, 0.5, -0.125), (0.25, 0.50001, -0.125), (0.25, 0.5, -0.12501), (.nan, 0.5, -0.125),
    ]
    for (x, y, z) in others {
      #expect(point != NormalizedLandmark(x: x, y: y, z: z, visibility: 0.5, presence: nil))
      #expect(
        Landmark(x: x, y: y, z: z, visibility: nil, presence: nil)
          != Landmark(x: 0.25, y: 0.5, z: -0.125, visibility: nil, presence: nil))
    }
    let meters = Landmark(x: 0.25, y: 0.5, z: -0.125, visibility: 0.5, presence: 0.25)
    #expect(meters == Landmark(x: 0.25, y: 0.5, z: -0.125, visibility: nil, presence: nil))
    #expect(meters.visibility == 0.5 && meters.presence == 0.25)
    #expect(!meters.isEqual(point) && !point.isEqual(meters))
  }

  @Test("keep their values")
  func values() {
    let category = ResultCategory(index: 3, score: 0.5, categoryName: "cat", displayName: "Katze")
    #expect(
      category.index == 3 && category.score == 0.5 && category.categoryName == "cat" && category.displayName == "Katze")
    let head = Classifications(headIndex: 1, categories: [category])
    #expect(head.headIndex == 1 && head.headName == nil && head.categories == [category])
    #expect(Classifications(headIndex: 1, headName: "probability", categories: []).headName == "probability")
    let classes = ClassificationResult(classifications: [head], timestampInMilliseconds: 40)
    #expect(classes.classifications == [head] && classes.timestampInMilliseconds == 40)
    let detection = Detection(
      categories: [category], boundingBox: CGRect(x: 1, y: 2, width: 3, height: 4), keypoints: nil)
    #expect(detection.categories == [category] && detection.keypoints == nil && detection.boundingBox.maxY == 6)
    let line = Connection(start: 3, end: 4)
    #expect(line.start == 3 && line.end == 4)
    let embedding = Embedding(floatEmbedding: [1], quantizedEmbedding: nil, headIndex: 0, headName: "feature")
    #expect(embedding.floatEmbedding == [1] && embedding.quantizedEmbedding == nil && embedding.headName == "feature")
  }

  @Test("results are task results with a time, and copies have the same class")
  func results() throws {
    let objects = ObjectDetectorResult(detections: [], timestampInMilliseconds: 5)
    #expect(objects.timestampInMilliseconds == 5)
    #expect((objects.copy() as? ObjectDetectorResult) === objects)
    let tasks: [TaskResult] = [
      objects, FaceDetectorResult(detections: [], timestampInMilliseconds: 5),
      ImageClassifierResult(
        classificationResult: ClassificationResult(classifications: [], timestampInMilliseconds: 5),
        timestampInMilliseconds: 5),
      ImageSegmenterResult(confidenceMasks: nil, categoryMask: nil, qualityScores: [1], timestampInMilliseconds: 5),
      ImageEmbedderResult(embeddingResult: nil, timestampInMilliseconds: 5), TaskResult(timestampInMilliseconds: 5),
    ]
    #expect(tasks.allSatisfy { $0.timestampInMilliseconds == 5 })
    #expect(ImageEmbedderResult(embeddingResult: nil, timestampInMilliseconds: 5).embeddingResult.embeddings.isEmpty)
  }
}
