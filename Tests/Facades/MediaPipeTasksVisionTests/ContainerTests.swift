import Foundation
import MediaPipeTasksVision
import Testing

@Suite("Containers")
struct ContainerTests {
  @Test("keypoints are equal when their values are")
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

  @Test("keep what they are made of")
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
    let embedding = Embedding(floatEmbedding: [1], quantizedEmbedding: nil, headIndex: 0, headName: "feature")
    #expect(embedding.floatEmbedding == [1] && embedding.quantizedEmbedding == nil && embedding.headName == "feature")
  }

  @Test("results are tasks' results, know their time, and are copied as themselves")
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
