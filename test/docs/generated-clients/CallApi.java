// Creates a record with the generated client, reads it and finds it in the list. Prints its id, and the code of an error.
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.RecordsApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.CreateRecordRequest;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.Record;

public class CallApi {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    // client.setBearerToken sets the first kind of credential only.
    ((HttpBearerAuth) client.getAuthentication("AccountKey")).setBearerToken(System.getenv("API_KEY"));
    RecordsApi records = new RecordsApi(client);
    CreateRecordRequest request =
        new CreateRecordRequest().url("https://example.com/java.csv").name("Java");
    String id = records.createRecord(request, null, null).getId();
    Record read = records.getRecord(id, null);
    // Before its first check, all of these are null.
    if (!read.getName().equals("Java") || read.getFormat() != null || read.getLastOutcome() != null) {
      throw new IllegalStateException("not read: " + read);
    }
    List<Record> listed =
        records.listRecords(null, null, null, null, "Java", null, null, null, null, null).getSources();
    if (listed.size() != 1 || !listed.get(0).getId().equals(id)) {
      throw new IllegalStateException("not listed: " + listed);
    }
    try {
      records.getRecord("src_00000000000000000000000000000000", null);
    } catch (ApiException missing) {
      System.out.println(id + " " + Problem.fromJson(missing.getResponseBody()).getCode().getValue());
    }
  }
}
